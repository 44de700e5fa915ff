import type { BlockList } from 'node:net'
import type { Log } from '../../store/log.ts'
import type { OrderLimit } from '../../store/ordering/order-limit.ts'
import type { Store } from '../../store/store.ts'
import type { Head } from './head.ts'
import type { RefusalCode } from './refusal.ts'
import type { Exchange, Reply } from './reply.ts'

/** What handlers work with. */
export interface App {
  store: Store
  orderLimit: OrderLimit
  trustedProxies: BlockList
  log: Log
}

/** A request as handlers see it. */
export interface Call {
  exchange: Exchange
  head: Head
  params: Record<string, string | undefined>
}

/** Answers a call. `undefined` means that the client is gone and nobody waits for an answer. */
export type Handler = (app: App, call: Call) => Reply | Promise<Reply | undefined>

export interface Route {
  handler: Handler
  /** `token`: the two switches and the token are checked first. `all`: anybody may call. */
  access: 'token' | 'all'
  /** What a caller is told when the handler throws. */
  failure: RefusalCode
}
