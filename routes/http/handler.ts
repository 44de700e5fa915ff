import type { BlockList } from 'node:net'
import type { Alarm } from '../../display/alarm.ts'
import type { Reader } from '../../reader/reader.ts'
import type { Backups } from '../../store/backups.ts'
import type { Log } from '../../store/log.ts'
import type { OrderLimit } from '../../store/ordering/order-limit.ts'
import type { Actor } from '../../store/people/actor.ts'
import type { Device } from '../../store/people/devices.ts'
import type { Passwords } from '../../store/people/password.ts'
import type { Session } from '../../store/people/sessions.ts'
import type { Store } from '../../store/store.ts'
import type { Clock } from '../../store/terms/clock.ts'
import type { Deliver } from '../../webhooks/deliver.ts'
import type { Writer } from '../../writer/writer.ts'
import type { Link } from '../html/link.ts'
import type { Assets } from './assets.ts'
import type { Head } from './head.ts'
import type { PrintersHeard } from './printers-heard.ts'
import type { Refused } from './refused.ts'
import type { Exchange, Refusal, Reply } from './reply.ts'
import type { Screens } from './screens.ts'
import type { ShownOnce } from './shown-once.ts'
import type { Throttle } from './throttle.ts'

/** The code with which the first owner is made: new at each start, for 30 minutes, only in memory (decision 047). */
export interface SetupCode {
  code: string
  /** Whether this is the code, as somebody typed it. */
  isRight(typed: string): boolean
}

/** What handlers work with. */
export interface App {
  clock: Clock
  /** For reading only. */
  store: Store
  writer: Writer
  /** For reads that can take long. */
  reader: Reader
  orderLimit: OrderLimit
  refused: Refused
  backups: Backups
  /** The alarms of the kitchens, as last looked for. */
  alarms: { current(): Alarm[] }
  shownOnce: ShownOnce
  printersHeard: PrintersHeard
  /** The kitchen's screens and what they show. */
  screens: Screens
  /** Makes the attempt of a test of an endpoint. */
  deliver: Deliver
  trustedProxies: BlockList
  /** What the server listens on. */
  host: string
  /** Where the site is installed: "" or "/shop". */
  basePath: string
  /** Makes addresses of this site. */
  link: Link
  assets: Assets
  /** Names under which pages are served, besides addresses and local names. */
  hosts: ReadonlySet<string>
  passwords: Passwords
  /** Slows down guessing of passwords, PINs and codes. */
  throttle: Throttle
  /** Makes the first owner. */
  setup: SetupCode
  /** Limits how often status pages are asked for, and how often unknown ones. */
  statusLimit: OrderLimit
  /** The folder of the menu's images. */
  siteRoot: string
  log: Log
}

/** A person who is logged in. */
export interface PersonCaller {
  kind: 'person'
  /** Their role here: with a PIN always `staff`. */
  person: Session['person']
  session: Session
  /** The paired device that they use; null: a browser of their own. */
  device: Device | null
  /** Who is recorded for what they do. */
  actor: Actor
}

/** A paired device. */
export interface DeviceCaller {
  kind: 'device'
  device: Device
  /** Who is logged in on it by PIN; null: nobody. */
  person: Session['person'] | null
  /** Who is recorded for what is done on it: that person, else the device. */
  actor: Actor
}

/** Who is calling, as the access of the route found out. */
export type Caller = { kind: 'token' } | { kind: 'everybody' } | PersonCaller | DeviceCaller

/** A reply instead of a refusal, such as the way to the log-in page. */
export interface Denied {
  kind: 'denied'
  reply: Reply | Promise<Reply | undefined>
}

/** Decides who is calling, or refuses the request. */
export type Access<C extends Caller> = (app: App, exchange: Exchange, head: Head) => C | Refusal | Denied

/** Checks a request before its access; a refusal ends it. */
export type Guard = (app: App, exchange: Exchange) => Refusal | undefined

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
