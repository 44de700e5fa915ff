import type { Db } from '../file/open.ts'
import { SHOWN_WITHIN_MS } from '../kitchen/station-backups.ts'
import type { Standing } from '../ledger/ledger.ts'
import type { Order } from '../ordering/order.ts'
import type { ShownTicket } from '../ordering/shown-ticket.ts'
import type { Noting } from '../people/activity.ts'
import type { Actor } from '../people/actor.ts'
import type { Clock } from '../terms/clock.ts'
import type { DeviceId, LocationId, OrderId, OrderLineId, StationId, TicketId } from '../terms/ids.ts'
import type { Refusal } from '../terms/refusal.ts'
import { groupBy } from '../terms/rows.ts'
import { type Printer, type Printers, printsByItself, printsFor } from './printers.ts'

/** How a job is laid out on paper. It is stored with the job, so that it stays the same until the job is printed. */
export interface Layout extends Pick<Printer, 'columns' | 'characters'> {
  /** The setting `kitchen.language`. */
  language: string
  siteTitle: string
}

/** What a job prints, as it was when the job was made. */
export type Content = { layout: Layout } & (
  | {
      kind: 'ticket' | 'changed' | 'copy'
      ticket: ShownTicket
      /** The other stations that prepare part of the order. */
      alsoAt: string[]
    }
  /** `lines` were removed; if these are all lines, the whole ticket is void. */
  | { kind: 'void'; ticket: ShownTicket; lines: OrderLineId[] }
  | {
      kind: 'receipt'
      order: Order
      standing: Standing
      location: { title: string; address: string | null; timezone: string }
    }
  | { kind: 'test'; printer: string; at: number; timezone: string }
)

export type JobKind = Content['kind']

/** A job that is not printed yet. */
export interface Job {
  id: number
  kind: JobKind
  ticketId: TicketId | null
  orderId: OrderId | null
  /** When the event that it tells of happened (UTC milliseconds). */
  since: number
  /** `failed`: the printer cannot print it, so it waits for a person. */
  state: 'waiting' | 'failed'
  /** Whether a person has asked for it; then it is printed however old it is. */
  isWanted: boolean
  /** Counts from 1. After the first, the slip says that it may be a copy. */
  attempt: number
  offeredAt: number | null
  /** When the printer fetched this attempt. */
  fetchedAt: number | null
  /** What the printer last said about it. */
  problem: string | null
}

/** An attempt at a job, as its printer gets it. */
export interface Offer {
  /** The id of the job and the attempt: "12-1". */
  token: string
  attempt: number
  content: Content
}

/** How an attempt ended. */
export type Outcome =
  | { isPrinted: true }
  /** `isFinal`: the printer cannot print this job, so a further attempt would fail, too. */
  | { isPrinted: false; problem: string; isFinal: boolean }

/** What a person wants to have printed. */
export type Wish = { kind: 'ticket'; ticket: TicketId } | { kind: 'receipt'; order: OrderId } | { kind: 'test' }

/** How long a printer has to confirm a job before it gets the job again. It takes only a few seconds. */
export const UNCONFIRMED_MS = 20_000

// An older job is printed only if a person wants it: nobody cooks last night's orders in the morning.
const OLD_MS = 30 * 60_000

const KEPT_MS = 30 * 86_400_000

const MOST_EVENTS = 1000

interface EventRow {
  seq: number
  ticketId: TicketId
  lineId: OrderLineId | null
  what: string
  at: number
  stationId: StationId
  locationId: LocationId
}

interface JobRow extends Omit<Job, 'isWanted' | 'state'> {
  printerId: DeviceId
  isWanted: number
  state: 'waiting' | 'printed' | 'discarded' | 'failed'
  content: string | null
}

interface Until {
  eventSeq: number
  activityId: number
}

export interface JobContext extends Noting {
  printers: Printers
  ticket(id: TicketId): ShownTicket | undefined
  ticketsOf(order: OrderId): ShownTicket[]
  order(id: OrderId): Order | undefined
  /** Records that the kitchen has seen a ticket that came to its station at `openedAt`. */
  see(id: TicketId, openedAt: number, at: number, by: Actor): void
  standing(id: OrderId): Standing
  location(id: LocationId): { title: string; address: string | null; timezone: string } | undefined
  /** The part of the layout that is the same for the whole site. */
  layout(): Pick<Layout, 'language' | 'siteTitle'>
}

/**
 * The jobs of the printers (decision 058). They are made from the recorded events of tickets, so an order never waits for paper. The
 * transaction that makes jobs also records how far it has read, so each job is made once.
 */
export function printJobs(db: Db, clock: Clock, context: JobContext) {
  const { printers, note } = context
  const columns = `id, printer_id AS printerId, kind, ticket_id AS ticketId, order_id AS orderId, since_at AS since, content, state,
    is_wanted AS isWanted, attempt, offered_at AS offeredAt, fetched_at AS fetchedAt, problem`
  const insertJob = db.prepare<{
    printerId: DeviceId
    kind: JobKind
    ticketId: TicketId | null
    orderId: OrderId | null
    cause: number | null
    since: number
    content: string
    isWanted: 0 | 1
    attempt: number
    clientRef: string | null
  }>(
    `INSERT INTO print_job (printer_id, kind, ticket_id, order_id, cause, since_at, content, state, is_wanted, attempt, client_ref)
     VALUES (@printerId, @kind, @ticketId, @orderId, @cause, @since, @content, 'waiting', @isWanted, @attempt, @clientRef)
         ON CONFLICT DO NOTHING`,
  )
  const selectUntil = db.prepare<[], Until>(
    'SELECT event_seq AS eventSeq, activity_id AS activityId FROM printed_until',
  )
  const saveUntil = db.prepare<Until>(
    `INSERT INTO printed_until (id, event_seq, activity_id) VALUES (1, @eventSeq, @activityId)
         ON CONFLICT (id) DO UPDATE SET event_seq = excluded.event_seq, activity_id = excluded.activity_id`,
  )
  const selectLast = db.prepare<[], Until>(
    `SELECT (SELECT coalesce(max(seq), 0) FROM ticket_event) AS eventSeq,
            (SELECT coalesce(max(id), 0) FROM activity) AS activityId`,
  )
  const selectEvents = db.prepare<[number], EventRow>(
    `SELECT seq, event.ticket_id AS ticketId, line_id AS lineId, what, event.at, station_id AS stationId,
            location_id AS locationId
       FROM ticket_event AS event JOIN ticket ON ticket.id = event.ticket_id JOIN orders ON orders.id = order_id
      WHERE seq > ? ORDER BY seq LIMIT ${MOST_EVENTS}`,
  )
  const selectEdits = db.prepare<[number, number], { id: number; at: number; orderId: OrderId }>(
    `SELECT id, at, order_id AS orderId FROM activity
      WHERE id > ? AND id <= ? AND what = 'order edited' AND instr(subject, 'notes') > 0 AND order_id IS NOT NULL ORDER BY id`,
  )
  const selectUnseen = db.prepare<
    { before: number; after: number; printerId: DeviceId; locationId: LocationId },
    { id: TicketId; stationId: StationId; openedAt: number }
  >(
    `SELECT ticket.id, station_id AS stationId, opened_at AS openedAt
       FROM ticket JOIN station ON station.id = station_id
      WHERE state <> 'done' AND state = 'open' AND closed_at IS NULL AND seen_at IS NULL AND location_id = @locationId
        AND opened_at <= @before AND opened_at >= @after
        AND NOT EXISTS (SELECT 1 FROM print_job WHERE printer_id = @printerId AND ticket_id = ticket.id AND kind = 'ticket' AND cause = opened_at)
      ORDER BY ticket.id`,
  )
  const selectTicketJob = db.prepare<[DeviceId, TicketId], JobRow>(
    `SELECT ${columns} FROM print_job WHERE printer_id = ? AND ticket_id = ? AND kind = 'ticket' ORDER BY id DESC LIMIT 1`,
  )
  const selectJob = db.prepare<[number, DeviceId], JobRow>(
    `SELECT ${columns} FROM print_job WHERE id = ? AND printer_id = ?`,
  )
  const isUnfinished = `(state = 'waiting' OR state = 'failed')`
  const selectUnfinished = db.prepare<[DeviceId], JobRow>(
    `SELECT ${columns} FROM print_job WHERE printer_id = ? AND ${isUnfinished} ORDER BY id`,
  )
  const selectNext = db.prepare<[DeviceId, number], JobRow>(
    `SELECT ${columns} FROM print_job
      WHERE printer_id = ? AND ${isUnfinished} AND state = 'waiting' AND (is_wanted = 1 OR since_at > ?) ORDER BY id LIMIT 1`,
  )
  const selectFetched = db.prepare<[DeviceId], JobRow>(
    `SELECT ${columns} FROM print_job
      WHERE printer_id = ? AND ${isUnfinished} AND state = 'waiting' AND fetched_at IS NOT NULL ORDER BY id LIMIT 1`,
  )
  const saveOffer = db.prepare<Pick<JobRow, 'id' | 'attempt' | 'offeredAt' | 'fetchedAt'>>(
    'UPDATE print_job SET attempt = @attempt, offered_at = @offeredAt, fetched_at = @fetchedAt WHERE id = @id',
  )
  const saveProblem = db.prepare<Pick<JobRow, 'id' | 'state' | 'attempt' | 'problem'>>(
    'UPDATE print_job SET state = @state, attempt = @attempt, fetched_at = NULL, problem = @problem WHERE id = @id',
  )
  const endJob = db.prepare<[JobRow['state'], number, number]>(
    'UPDATE print_job SET state = ?, content = NULL, problem = NULL, ended_at = ? WHERE id = ?',
  )
  const releaseJob = db.prepare<[number]>(
    `UPDATE print_job SET state = 'waiting', is_wanted = 1, attempt = attempt + (fetched_at IS NOT NULL),
            offered_at = NULL, fetched_at = NULL, problem = NULL WHERE id = ?`,
  )
  const removeEnded = db.prepare<[number]>('DELETE FROM print_job WHERE ended_at < ?')

  function layoutOf({ columns, characters }: Printer): Layout {
    return { columns, characters, ...context.layout() }
  }

  function alsoAt({ orderId, stationId }: ShownTicket): string[] {
    const others = context.ticketsOf(orderId).filter(each => each.stationId !== stationId && each.state !== 'void')
    return [...new Set(others.map(({ station }) => station))]
  }

  function insert(
    printer: Printer,
    content: Content,
    about: {
      ticketId?: TicketId
      orderId?: OrderId
      cause: number | null
      since: number
      attempt?: number
      clientRef?: string | null
    },
  ): boolean {
    const { ticketId = null, orderId = null, cause, since, attempt = 1, clientRef = null } = about
    const isWanted = cause === null ? 1 : 0
    const row = {
      printerId: printer.id,
      kind: content.kind,
      ticketId,
      orderId,
      cause,
      since,
      isWanted,
      attempt,
      clientRef,
    } as const
    return insertJob.run({ ...row, content: JSON.stringify(content) }).changes > 0
  }

  /** Whether a job is or may be on paper. */
  function isOnPaper({ state, fetchedAt, attempt }: JobRow): boolean {
    return state === 'printed' || fetchedAt !== null || attempt > 1
  }

  /** Makes the job for a ticket that is open at its station. */
  function addTicket(printer: Printer, id: TicketId, since: number): boolean {
    const ticket = context.ticket(id)
    if (ticket?.state !== 'open') return false
    const content: Content = { kind: 'ticket', ticket, alsoAt: alsoAt(ticket), layout: layoutOf(printer) }
    // The ticket may have been printed before it was held and fired again.
    const earlier = selectTicketJob.get(printer.id, id)
    const attempt = earlier && isOnPaper(earlier) ? 2 : 1
    return insert(printer, content, { ticketId: id, orderId: ticket.orderId, cause: ticket.openedAt, since, attempt })
  }

  /** Makes a VOID slip for lines that were removed from a ticket, if the ticket is or may be on paper. */
  function addVoid(printer: Printer, id: TicketId, events: EventRow[]): void {
    const job = selectTicketJob.get(printer.id, id)
    const ticket = context.ticket(id)
    const last = events.at(-1)
    if (!job || !ticket || !last || (job.state !== 'waiting' && job.state !== 'printed')) return
    if (ticket.state === 'void' && !isOnPaper(job)) {
      endJob.run('discarded', clock.now(), job.id)
      return
    }
    const lines = events.flatMap(({ lineId }) => lineId ?? [])
    const content: Content = { kind: 'void', ticket, lines, layout: layoutOf(printer) }
    insert(printer, content, { ticketId: id, orderId: ticket.orderId, cause: last.seq, since: last.at })
  }

  /** Makes CHANGED slips for the open tickets of an order whose notes have changed. */
  function addChanged(printer: Printer, edit: { id: number; at: number; orderId: OrderId }): void {
    for (const ticket of context.ticketsOf(edit.orderId)) {
      const job = ticket.state === 'open' ? selectTicketJob.get(printer.id, ticket.id) : undefined
      // A ticket whose job was made just now has the new notes already.
      const isEarlier = job && JSON.stringify(notesIn(job)) !== JSON.stringify(ticket.orderNotes)
      if (!isEarlier || (job.state !== 'waiting' && job.state !== 'printed')) continue
      const content: Content = { kind: 'changed', ticket, alsoAt: alsoAt(ticket), layout: layoutOf(printer) }
      insert(printer, content, { ticketId: ticket.id, orderId: edit.orderId, cause: edit.id, since: edit.at })
    }
  }

  const make = db.transaction((): boolean => {
    const now = clock.now()
    const watching = printers.list().filter(printsByItself)
    const until = selectUntil.get()
    const last = selectLast.get()
    if (watching.length === 0 || !until || !last) return false
    const events = selectEvents.all(until.eventSeq)
    const isAll = events.length < MOST_EVENTS
    const edits = isAll ? selectEdits.all(until.activityId, last.activityId) : []
    for (const printer of watching) {
      const made = new Set<TicketId>()
      const here = events.filter(
        ({ locationId, stationId }) => locationId === printer.locationId && printsFor(printer, stationId),
      )
      if (printer.prints === 'every ticket') {
        for (const { ticketId, what, at } of here) {
          const isNew = what === 'opened' || what === 'added' || what === 'fired'
          if (isNew && addTicket(printer, ticketId, at)) made.add(ticketId)
        }
      }
      const voided = here.filter(
        ({ what, lineId, ticketId }) => what === 'void' && lineId !== null && !made.has(ticketId),
      )
      for (const [ticketId, ofTicket] of groupBy(voided, event => event.ticketId)) addVoid(printer, ticketId, ofTicket)
      for (const edit of edits) addChanged(printer, edit)
    }
    for (const { printer, ticket } of unseen(watching, now)) addTicket(printer, ticket.id, ticket.openedAt)
    const eventSeq = isAll ? last.eventSeq : (events.at(-1)?.seq ?? until.eventSeq)
    saveUntil.run({ eventSeq, activityId: isAll ? last.activityId : until.activityId })
    removeEnded.run(now - KEPT_MS)
    return !isAll
  })

  function unseen(watching: Printer[], now: number) {
    return watching
      .filter(({ prints }) => prints === 'unseen tickets')
      .flatMap(printer => {
        const { id, locationId, createdAt } = printer
        const found = selectUnseen.all({ printerId: id, locationId, before: now - SHOWN_WITHIN_MS, after: createdAt })
        return found.filter(({ stationId }) => printsFor(printer, stationId)).map(ticket => ({ printer, ticket }))
      })
  }

  function nextRow(printer: DeviceId): JobRow | undefined {
    const now = clock.now()
    const job = selectNext.get(printer, now - OLD_MS)
    // If the clock was set back, the job must still be offered again.
    const isBeingPrinted = job && job.fetchedAt !== null && Math.abs(now - job.fetchedAt) < UNCONFIRMED_MS
    return isBeingPrinted ? undefined : job
  }

  const offer = db.transaction((printer: DeviceId, isHandedOver: boolean): Offer | null => {
    const job = nextRow(printer)
    if (!job) return null
    const now = clock.now()
    const attempt = job.fetchedAt === null ? job.attempt : job.attempt + 1
    saveOffer.run({ id: job.id, attempt, offeredAt: job.offeredAt ?? now, fetchedAt: isHandedOver ? now : null })
    return offerOf({ ...job, attempt })
  })

  /** The job that a token names. Older printers know no tokens: for them, the job that was fetched, else the next one. */
  function named(printer: DeviceId, token: string | null): { job: JobRow; attempt: number } | undefined {
    if (token === null) {
      const job = selectFetched.get(printer) ?? selectNext.get(printer, clock.now() - OLD_MS)
      return job && { job, attempt: job.attempt }
    }
    const [, id, attempt] = /^([1-9]\d{0,14})-([1-9]\d{0,8})$/.exec(token) ?? []
    const job = id === undefined ? undefined : selectJob.get(Number(id), printer)
    return job && { job, attempt: Number(attempt) }
  }

  const fetchJob = db.transaction((printer: DeviceId, token: string | null): Offer | null => {
    const found = named(printer, token)
    if (found?.job.state !== 'waiting' || found.attempt > found.job.attempt) return null
    const { job, attempt } = found
    if (job.fetchedAt === null && attempt === job.attempt) {
      const now = clock.now()
      saveOffer.run({ id: job.id, attempt, offeredAt: job.offeredAt ?? now, fetchedAt: now })
    }
    return offerOf({ ...job, attempt })
  })

  const finish = db.transaction((printer: DeviceId, token: string | null, outcome: Outcome): boolean => {
    const job = named(printer, token)?.job
    if (!job || (job.state !== 'waiting' && job.state !== 'failed')) return false
    if (!outcome.isPrinted) {
      // The paper may have been cut off in the middle, so the next attempt is marked.
      const attempt = job.fetchedAt === null ? job.attempt : job.attempt + 1
      saveProblem.run({ id: job.id, state: outcome.isFinal ? 'failed' : job.state, attempt, problem: outcome.problem })
      return true
    }
    const now = clock.now()
    endJob.run('printed', now, job.id)
    const content: Content | null = job.content === null ? null : JSON.parse(job.content)
    const device = printers.find(printer)
    if (device && (content?.kind === 'ticket' || content?.kind === 'copy')) {
      const { id, openedAt } = content.ticket
      context.see(id, openedAt, now, { kind: 'device', id: printer, name: device.title })
    }
    return true
  })

  function needsPerson({ state, isWanted, since }: JobRow): boolean {
    return state === 'failed' || (isWanted === 0 && since <= clock.now() - OLD_MS)
  }

  const settle = db.transaction(
    (printer: DeviceId, what: 'print' | 'discard'): { jobs: number } | Refusal<'unknown device'> => {
      const device = printers.find(printer)
      if (!device) return { refused: 'unknown device', device: printer }
      const asked = selectUnfinished.all(printer).filter(needsPerson)
      for (const { id } of asked) {
        if (what === 'print') releaseJob.run(id)
        else endJob.run('discarded', clock.now(), id)
      }
      const subject = `device ${printer} ${device.title}`
      const deed = what === 'print' ? 'old slips printed' : 'old slips discarded'
      if (asked.length > 0) note({ what: deed, subject, became: String(asked.length) })
      return { jobs: asked.length }
    },
  )

  const request = db.transaction(
    (
      printerId: DeviceId,
      wish: Wish,
      clientRef: string,
    ): undefined | Refusal<'unknown device' | 'unknown ticket' | 'unknown order'> => {
      const printer = printers.find(printerId)
      if (!printer) return { refused: 'unknown device', device: printerId }
      const about = { cause: null, since: clock.now(), clientRef }
      const layout = layoutOf(printer)
      const subject = `device ${printerId} ${printer.title}`
      if (wish.kind === 'ticket') {
        const ticket = context.ticket(wish.ticket)
        if (!ticket) return { refused: 'unknown ticket', ticket: wish.ticket }
        const { orderId } = ticket
        const content: Content = { kind: 'copy', ticket, alsoAt: alsoAt(ticket), layout }
        const isNew = insert(printer, content, { ...about, ticketId: ticket.id, orderId })
        if (isNew) note({ what: 'slip printed', subject, orderId, became: `ticket ${ticket.id}` })
      } else if (wish.kind === 'receipt') {
        const order = context.order(wish.order)
        const location = order && context.location(order.locationId)
        if (!order || !location) return { refused: 'unknown order', order: String(wish.order) }
        const content: Content = { kind: 'receipt', order, standing: context.standing(order.id), location, layout }
        const isNew = insert(printer, content, { ...about, orderId: order.id })
        if (isNew) note({ what: 'slip printed', subject, orderId: order.id, became: 'receipt' })
      } else {
        const timezone = context.location(printer.locationId)?.timezone ?? 'UTC'
        insert(printer, { kind: 'test', printer: printer.title, at: about.since, timezone, layout }, about)
      }
      return undefined
    },
  )

  return {
    /** Whether `makeJobs` has anything to look at. */
    hasNews(): boolean {
      const watching = printers.list().filter(printsByItself)
      if (watching.length === 0) return false
      const until = selectUntil.get()
      const last = selectLast.get()
      const isBehind = until?.eventSeq !== last?.eventSeq || until?.activityId !== last?.activityId
      return isBehind || unseen(watching, clock.now()).length > 0
    },

    /** Makes the jobs for the events since the last call. */
    makeJobs(): void {
      while (make.immediate());
    },

    /** Starts to look for things to print; earlier events are not printed. Called in the transaction that adds or changes a printer. */
    beginWatching(): void {
      const last = selectLast.get()
      if (last) saveUntil.run(last)
    },

    /** The next job of a printer; null: there is none, or it is being printed now. */
    next(printer: DeviceId): Job | null {
      const row = nextRow(printer)
      return row ? jobOf(row) : null
    },

    /**
     * Offers the next job to its printer; null: there is none. A job that was fetched and not confirmed within 20 seconds is offered as a
     * new attempt. `isHandedOver`: the printer gets the content with the offer, without fetching it.
     */
    offer: (printer: DeviceId, isHandedOver: boolean): Offer | null => offer.immediate(printer, isHandedOver),

    /** The attempt with this token, with the same content each time; null: its job has ended or does not exist. */
    fetch: (printer: DeviceId, token: string | null): Offer | null => fetchJob.immediate(printer, token),

    /** Records how an attempt ended; a printed ticket counts as seen. Returns false if the job has already ended. */
    finish: (printer: DeviceId, token: string | null, outcome: Outcome): boolean =>
      finish.immediate(printer, token, outcome),

    /** The jobs of a printer that are not printed, the oldest first. */
    unfinished: (printer: DeviceId): (Job & { needsPerson: boolean })[] =>
      selectUnfinished.all(printer).map(row => ({ ...jobOf(row), needsPerson: needsPerson(row) })),

    /** Prints or discards the jobs that wait for a person: those that failed and those older than 30 minutes. Refuses an unknown printer. */
    settle: (printer: DeviceId, what: 'print' | 'discard') => settle.immediate(printer, what),

    /** Prints what a person asks for, once for each `clientRef`: a copy of a ticket, a receipt or a test page. Refuses an unknown printer, ticket or order. */
    request: (printer: DeviceId, wish: Wish, clientRef: string) => request.immediate(printer, wish, clientRef),
  }
}

function notesIn({ content }: JobRow): string | null | undefined {
  const parsed: Content | null = content === null ? null : JSON.parse(content)
  return parsed?.kind === 'ticket' ? parsed.ticket.orderNotes : undefined
}

function offerOf({ id, attempt, content }: JobRow): Offer | null {
  return content === null ? null : { token: `${id}-${attempt}`, attempt, content: JSON.parse(content) as Content }
}

function jobOf({ printerId: _, content: __, isWanted, state, ...job }: JobRow): Job {
  return { ...job, isWanted: isWanted === 1, state: state === 'failed' ? 'failed' : 'waiting' }
}
