import type { BlockList } from 'node:net'
import type { Reader } from '../../reader/reader.ts'
import type { Log } from '../../store/log.ts'
import type { OrderLimit } from '../../store/ordering/order-limit.ts'
import type { Role } from '../../store/people/staff.ts'
import type { Store } from '../../store/store.ts'
import type { Clock } from '../../store/terms/clock.ts'
import type { StaffId } from '../../store/terms/ids.ts'
import type { Writer } from '../../writer/writer.ts'
import type { Link } from '../html/link.ts'
import type { Assets } from './assets.ts'
import type { Head } from './head.ts'
import type { Exchange, Refusal, Reply } from './reply.ts'

/** What handlers work with. */
export interface App {
  clock: Clock
  /** For reading only. */
  store: Store
  writer: Writer
  /** For reads that can take long. */
  reader: Reader
  orderLimit: OrderLimit
  trustedProxies: BlockList
  /** Where the site is installed: "" or "/shop". */
  basePath: string
  /** Makes addresses of this site. */
  link: Link
  assets: Assets
  /** The folder of the menu's images. */
  siteRoot: string
  log: Log
}

/** Who is calling, as the access of the route found out. */
export type Caller =
  | { kind: 'token' }
  | { kind: 'everybody' }
  | { kind: 'person'; person: { id: StaffId; name: string; role: Role } }

/** Decides who is calling, or refuses the request. */
export type Access<C extends Caller> = (app: App, exchange: Exchange, head: Head) => C | Refusal

/** The variable parts of a path, by name. */
export type Parameters = Record<string, string | undefined>

/** A request as handlers see it. Its query is parsed for those that ask for it, by `queryOf`. */
export interface Call<C extends Caller> {
  exchange: Exchange
  head: Head
  parameters: Parameters
  caller: C
}

/** Handles a call. `undefined` means that the client has disconnected and no response is needed. */
export type Handler<C extends Caller = Caller> = (app: App, call: Call<C>) => Reply | Promise<Reply | undefined>
