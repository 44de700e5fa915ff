import { hash, randomBytes } from 'node:crypto'
import type { Log } from '../../store/log.ts'
import type { SeenTicket } from '../../store/ordering/station-screen.ts'
import type { Actor } from '../../store/people/actor.ts'
import type { Device } from '../../store/people/devices.ts'
import type { Store } from '../../store/store.ts'
import type { Clock } from '../../store/terms/clock.ts'
import type { DeviceId, LocationId, OrderId, StationId, TicketId } from '../../store/terms/ids.ts'
import type { Writer } from '../../writer/writer.ts'
import type { Html } from '../html/html.ts'
import { type Prepared, prepareBytes } from './prepared.ts'
import { type Exchange, type Reply, refuse } from './reply.ts'

/** What screens show. Screens that show the same board have the same `key` and get the same bytes. */
export interface Board {
  key: string
  locationId: LocationId
  /** The stations whose tickets it shows; empty: it is no station's board. */
  stations: StationId[]
  /**
   * Makes the content from the file; what has not changed can be taken from `last`. It contains nothing that changes with time alone, such
   * as ages, which the screens calculate.
   */
  make(once: Once, last: Content | undefined): Content
}

/** Reads something once for all boards that are made from the same state of the file. */
export type Once = <T>(key: string, read: () => T) => T

export interface Content {
  /** HTML by the id of the element that it fills. */
  parts: Record<string, Html>
  /** The cards in their order. */
  tickets: Card[]
  /** The highest sequence number of the kitchen's history that it contains. */
  seq: number
  /** The open tickets in it that no screen has shown since they came to their stations. */
  unseen: Unseen[]
  /** The name of the page's current script, so that a screen can reload when there is a new one; undefined: there is none. */
  script: string | undefined
}

/** A card of a board: a ticket or, at the pass, an order. */
export interface Card {
  id: TicketId | OrderId
  /** Changes with the HTML. */
  rev: string
  html: Html
  /** The id of the element that contains it; left out: the board itself. */
  list?: string
  /** What it was made from. */
  of: object
  /** Everything else that decides how it looks. */
  look: string
}

interface Unseen {
  id: TicketId
  /** When it came to its station (UTC milliseconds). */
  openedAt: number
}

/** What a screen says about itself; null: it did not say. */
export interface Report {
  /** Whether it can play sounds. */
  sound: boolean | null
  /** Whether it keeps itself awake. */
  awake: boolean | null
  /** Whether its page is in front. */
  visible: boolean | null
}

/** A screen's request for its board. */
export interface Ask {
  device: Device
  actor: Actor
  board: Board
  /** The version that it shows; null: none yet. */
  drawn: string | null
  report: Report
}

/** A screen in the roll call. */
export interface Screen {
  device: Pick<Device, 'id' | 'title' | 'role'>
  locationId: LocationId
  stations: StationId[]
  /** How long ago it last asked (milliseconds, by the monotonic clock). */
  silentMs: number
  /** Whether one of its requests is held now. */
  isHeld: boolean
  drawn: string | null
  /** Whether it shows the current version. */
  isCurrent: boolean
  report: Report
}

/** The content of a board at one version, ready to be sent. */
interface Made {
  version: string
  /** Changes with everything that a board may show. */
  stamp: string
  /** Milliseconds, by the monotonic clock. */
  madeAt: number
  /** The replies by the version that a screen shows; null: the whole board, for a screen with no version or a forgotten one. */
  replies: Map<string | null, Prepared>
  content: Content
}

interface Kept {
  made: Made
  /** The contents of the last versions, by version. */
  contents: Map<string, Content>
}

interface Hold {
  ask: Ask
  /** Sends the reply; undefined: the connection was closed. */
  end(reply: Reply | undefined): void
  fail(error: unknown): void
}

interface RollEntry {
  ask: Ask
  /** Milliseconds, by the monotonic clock. */
  askedAt: number
}

export interface ScreensOptions {
  store: Store
  writer: Pick<Writer, 'chore'>
  clock: Clock
  log: Log
}

// Shorter than the time after which proxies and screens give up a request.
const LONGEST_HOLD_MS = 10_000

// Some changes come with time and without a commit, such as the end of a station's closing, so boards are made again after this time.
const FRESH_MS = 5000

// The first change after a pause is shown at once. After that, many screens are compared less often, so that they never take more than
// a part of the processor from the orders.
const BETWEEN_COMPARISONS_MS = 50
const BETWEEN_PER_SCREEN_MS = 4

// What screens have shown is recorded with a short delay, so that one commit covers many tickets and leaves the disk to the orders.
const RECORDED_TOGETHER_MS = 1000

// A browser opens at most six connections to a site, and the server may not have noticed yet that a tab was closed.
const MOST_HELD_PER_DEVICE = 4

// Even a slow screen shows one of the last versions.
const VERSIONS_KEPT = 20

// A board that was dropped is made again when a screen asks for it.
const MOST_BOARDS = 50

const FORGOTTEN_AFTER_MS = 24 * 3_600_000

// Between such groups of replies, orders get their turn.
const REPLIES_TOGETHER = 10

export type Screens = ReturnType<typeof screens>

/**
 * The screens that show what happens in the kitchen, by long polling (decision 055). A screen asks for its whole board and names the
 * version that it shows. The reply comes at once if that is not the current version, otherwise when the board changes, or after 10
 * seconds. So a screen misses nothing, and the server knows which screens are there and what they show.
 */
export function screens({ store, writer, clock, log }: ScreensOptions) {
  // Part of every version, so that after a restart every screen gets its board again.
  const boot = randomBytes(6).toString('base64url')
  const boards = new Map<string, Kept>()
  const holds = new Set<Hold>()
  // The last request of each device for each board.
  const roll = new Map<DeviceId, Map<string, RollEntry>>()
  // The tickets that were or soon will be recorded as seen, by `keyOf`.
  let noted = new Set<string>()
  let toRecord: SeenTicket[] = []
  let recording: NodeJS.Timeout | undefined
  let comparedAt = Number.NEGATIVE_INFINITY
  let comparedVersion = -1
  let comparedScreens = 0
  // What `once` has read from the current state of the file.
  let shared = new Map<string, unknown>()
  let sharedStamp = ''
  let stamp = { text: '', dataVersion: -1 }
  let planned: NodeJS.Timeout | undefined
  let isDraining = false

  /** The current version of a board. */
  function current(board: Board): Made {
    store.refresh()
    const dataVersion = store.dataVersion()
    const kept = boards.get(board.key)
    const isFresh = clock.elapsed() - (kept?.made.madeAt ?? 0) < FRESH_MS
    if (stamp.dataVersion !== dataVersion) stamp = { text: store.stationScreens.stamp(), dataVersion }
    if (kept && isFresh && kept.made.stamp === stamp.text) return kept.made
    if (sharedStamp !== stamp.text || !isFresh) shared = new Map()
    sharedStamp = stamp.text
    const content = board.make(once, kept?.made.content)
    const version = `${boot}.${content.seq}.${digestOf(content)}`
    const replies = kept?.made.version === version ? kept.made.replies : new Map<string | null, Prepared>()
    const made = { version, stamp: stamp.text, madeAt: clock.elapsed(), content, replies }
    const contents = kept?.contents ?? new Map<string, Content>()
    contents.delete(version)
    contents.set(version, content)
    dropOldest(contents, VERSIONS_KEPT)
    boards.delete(board.key)
    boards.set(board.key, { made, contents })
    dropOldest(boards, MOST_BOARDS)
    return made
  }

  function once<T>(key: string, read: () => T): T {
    if (!shared.has(key)) shared.set(key, read())
    return shared.get(key) as T
  }

  function devicesInUse(): Set<DeviceId> {
    const devices = store.devices.list().filter(({ endedAt }) => endedAt === null)
    return new Set(devices.map(({ id }) => id))
  }

  function replyTo(ask: Ask): Reply {
    const made = current(ask.board)
    // The device may have been removed since it asked.
    if (!once('devices', devicesInUse).has(ask.device.id)) return refuse('NOT_LOGGED_IN')
    return ask.drawn === made.version ? unchanged(made.version) : changedTo(ask, made)
  }

  /** What a screen needs to show a board. Of cards that it already has, only the revisions are sent. */
  function changedTo({ board, drawn }: Ask, { version, content, replies }: Made): Reply {
    const shown = drawn === null ? undefined : boards.get(board.key)?.contents.get(drawn)
    const from = shown ? drawn : null
    const prepared = replies.get(from) ?? replyOf(version, content, shown)
    replies.set(from, prepared)
    return { kind: 'prepared', prepared, headers: instant() }
  }

  function unchanged(version: string | null): Reply {
    return { kind: 'json', status: 200, body: { version }, headers: instant() }
  }

  function instant(): string[] {
    return ['Servery-Now', String(clock.now())]
  }

  function hold(exchange: Exchange, ask: Ask): Promise<Reply | undefined> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => replyNow(held), LONGEST_HOLD_MS)
      const held: Hold = {
        ask,
        end(reply) {
          release()
          resolve(reply)
        },
        fail(error) {
          release()
          reject(error)
        },
      }
      function release(): void {
        clearTimeout(timer)
        holds.delete(held)
      }
      holds.add(held)
      exchange.response.once('close', () => held.end(undefined))
      for (const old of heldOf(ask.device).slice(0, -MOST_HELD_PER_DEVICE)) old.end(unchanged(old.ask.drawn))
    })
  }

  function replyNow(held: Hold): void {
    try {
      held.end(replyTo(held.ask))
    } catch (error) {
      held.fail(error)
    }
  }

  /** Compares what the waiting screens show with the file, and replies to those that show something else. */
  function compare(): void {
    planned = undefined
    comparedAt = clock.elapsed()
    comparedScreens = holds.size
    const outdated: Hold[] = []
    for (const held of holds) {
      try {
        if (current(held.ask.board).version !== held.ask.drawn) outdated.push(held)
      } catch (error) {
        held.fail(error)
      }
    }
    comparedVersion = store.dataVersion()
    forgetNoted()
    replyInTurns(outdated)
  }

  function replyInTurns(outdated: Hold[]): void {
    for (const held of outdated.splice(0, REPLIES_TOGETHER)) if (holds.has(held)) replyNow(held)
    if (outdated.length > 0) setImmediate(replyInTurns, outdated)
  }

  function changed(): void {
    if (holds.size === 0 || planned) return
    const between = Math.max(BETWEEN_COMPARISONS_MS, comparedScreens * BETWEEN_PER_SCREEN_MS)
    const wait = Math.max(0, comparedAt + between - clock.elapsed())
    planned = setTimeout(compare, Math.min(wait, between))
  }

  /** Records the open tickets of the version that a screen shows as seen, each once. */
  function noteDrawn({ board, drawn, report, actor }: Ask): void {
    // Nobody has seen what is behind another window or on a dark tablet.
    if (drawn === null || report.visible === false) return
    const unseen = boards.get(board.key)?.contents.get(drawn)?.unseen ?? []
    const fresh = unseen.filter(ticket => !noted.has(keyOf(ticket)))
    if (fresh.length === 0) return
    const seenAt = clock.now()
    for (const ticket of fresh) {
      noted.add(keyOf(ticket))
      toRecord.push({ ...ticket, seenAt, by: actor })
    }
    recording ??= setTimeout(recordSeen, RECORDED_TOGETHER_MS)
  }

  function recordSeen(): void {
    clearTimeout(recording)
    recording = undefined
    const seen = toRecord
    toRecord = []
    if (seen.length === 0) return
    writer.chore('noteTicketsSeen', seen).catch(error => {
      for (const ticket of seen) noted.delete(keyOf(ticket))
      log.error('seen tickets were not recorded', error)
    })
  }

  /** Forgets the tickets that are on no board any more. */
  function forgetNoted(): void {
    if (noted.size < 1000) return
    const onBoards = [...boards.values()].flatMap(({ contents }) =>
      [...contents.values()].flatMap(({ unseen }) => unseen.map(keyOf)),
    )
    noted = new Set(onBoards.filter(key => noted.has(key)))
  }

  function enter(ask: Ask): void {
    const { device, board } = ask
    const entries = roll.get(device.id) ?? new Map<string, RollEntry>()
    for (const [key, entry] of entries) {
      // The tablet shows other stations now.
      if (key !== board.key && !isHeld(entry.ask)) entries.delete(key)
    }
    entries.set(board.key, { ask, askedAt: clock.elapsed() })
    roll.set(device.id, entries)
  }

  function isHeld({ device, board }: Ask): boolean {
    return heldOf(device).some(held => held.ask.board.key === board.key)
  }

  function heldOf({ id }: Device): Hold[] {
    return [...holds].filter(({ ask }) => ask.device.id === id)
  }

  return {
    /** Replies to a screen's request for its board, at once or when the board changes. Undefined: the connection was closed. */
    ask(exchange: Exchange, ask: Ask): Reply | Promise<Reply | undefined> {
      enter(ask)
      noteDrawn(ask)
      const made = current(ask.board)
      if (ask.drawn !== made.version) return changedTo(ask, made)
      if (isDraining || exchange.request.method === 'HEAD') return unchanged(made.version)
      return hold(exchange, ask)
    },

    /** The current board with its version, for the page of a screen. Loading the page counts as a request of the screen. */
    show(ask: Ask): { version: string; content: Content } {
      enter(ask)
      noteDrawn(ask)
      const { version, content } = current(ask.board)
      return { version, content }
    },

    /** Something may have changed: the screens are compared with the file soon, at most 20 times a second and less often if there are many. */
    changed,

    /** Makes all boards again, because something that they show has changed without a commit, such as an alarm. */
    makeAgain(): void {
      for (const { made } of boards.values()) made.madeAt = Number.NEGATIVE_INFINITY
      sharedStamp = ''
      changed()
    },

    /** Compares the screens with the file if another process has written to it. */
    watch(): void {
      if (holds.size === 0) return
      store.refresh()
      if (store.dataVersion() !== comparedVersion) changed()
    },

    /** The screens in use that have asked since the server started and in the last 24 hours. */
    rollCall(): Screen[] {
      const inUse = devicesInUse()
      for (const id of roll.keys()) if (!inUse.has(id)) roll.delete(id)
      const heard = [...roll.values()].flatMap(entries => [...entries.values()])
      return heard
        .filter(({ askedAt }) => clock.elapsed() - askedAt < FORGOTTEN_AFTER_MS)
        .map(({ ask, askedAt }) => ({
          device: { id: ask.device.id, title: ask.device.title, role: ask.device.role },
          locationId: ask.board.locationId,
          stations: ask.board.stations,
          silentMs: clock.elapsed() - askedAt,
          isHeld: isHeld(ask),
          drawn: ask.drawn,
          isCurrent: ask.drawn !== null && boards.get(ask.board.key)?.made.version === ask.drawn,
          report: ask.report,
        }))
    },

    /** Replies to all held requests, and holds no more. */
    drain(): void {
      isDraining = true
      clearTimeout(planned)
      recordSeen()
      for (const held of holds) held.end(unchanged(held.ask.drawn))
    },
  }
}

function keyOf({ id, openedAt }: Unseen): string {
  return `${id}@${openedAt}`
}

/** A digest of everything that is sent. The revisions stand for the cards. */
function digestOf({ parts, tickets, script }: Content): string {
  const sent = [script, textsOf(parts), tickets.map(({ id, rev, list }) => [id, rev, list])]
  return hash('sha256', JSON.stringify(sent), 'base64url').slice(0, 16)
}

function textsOf(parts: Content['parts']): Record<string, string> {
  return Object.fromEntries(Object.entries(parts).map(([id, { text }]) => [id, text]))
}

function replyOf(version: string, { parts, tickets, script = '' }: Content, shown: Content | undefined): Prepared {
  const known = new Map(shown?.tickets.map(({ id, rev }) => [id, rev]))
  const cards = tickets.map(({ id, rev, html, list }) => ({
    id,
    rev,
    list,
    ...(known.get(id) !== rev && { html: html.text }),
  }))
  const body = JSON.stringify({ version, script, parts: textsOf(parts), tickets: cards })
  return prepareBytes(Buffer.from(body), 'application/json; charset=utf-8', ['Cache-Control', 'no-store'])
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= most) return
    map.delete(oldest)
  }
}
