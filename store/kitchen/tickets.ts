import type { Db } from '../file/open.ts'
import type { Actor } from '../people/actor.ts'
import type { OrderId, OrderLineId, StationId, TicketId } from '../terms/ids.ts'

/** The state of one line on a ticket. */
export type TicketLineState = 'open' | 'done' | 'void'

/** The state of a ticket; a held one waits until it is fired. */
export type TicketState = TicketLineState | 'held'

export interface TicketItem {
  ticketId: TicketId
  lineId: OrderLineId
  state: TicketLineState
}

/** The kinds of events of a ticket or of one of its lines, as they are recorded (decision 043). */
export type TicketChange = 'opened' | 'added' | 'held' | 'fired' | 'done' | 'recalled' | 'void' | 'seen' | PassChange

const passChanges = ['called', 'handed over', 'sent out', 'brought back'] as const

/** What happened to a whole order at the pass. It is recorded with the order's first ticket, and changes no ticket. */
export type PassChange = (typeof passChanges)[number]

export function isPassChange(what: TicketChange): what is PassChange {
  return passChanges.some(each => each === what)
}

/** What a held ticket waits for besides its time: that its order is paid, or that staff confirm it. */
export type HeldFor = 'payment' | 'confirmation'

/** A held ticket: until an instant (UTC milliseconds), or (null) until a person fires it. */
export interface Hold {
  fireAt: number | null
  /** What it waits for besides its time. Once that has happened, it fires at its time, or at once if it has none or that has passed. */
  heldFor?: HeldFor
}

/** The holds of tickets that all wait for the same thing, each also for its time in `holds` if it has one. */
export function waitingFor(
  heldFor: HeldFor,
  routed: ReadonlyMap<StationId, number[]>,
  holds?: ReadonlyMap<StationId, Hold>,
): Map<StationId, Hold> {
  return new Map([...routed.keys()].map(station => [station, { fireAt: holds?.get(station)?.fireAt ?? null, heldFor }]))
}

/** Tickets to open together. */
export interface Opening {
  /** 1: with the order, then one more for each later course or addition. */
  batch: number
  /** The indexes of the lines for each station. */
  routed: ReadonlyMap<StationId, number[]>
  /** The stations whose tickets are held. */
  holds?: ReadonlyMap<StationId, Hold> | undefined
  /** Whether the lines were added to an order that had been placed before. */
  isAdded: boolean
}

/** The state of a ticket with these items: void if all are, done if none is open, else open or still held (decision E2). */
export function stateOfTicket(items: TicketLineState[], isHeld: boolean): TicketState {
  if (items.includes('open')) return isHeld ? 'held' : 'open'
  return items.includes('done') ? 'done' : 'void'
}

/** The idempotency key of a client's act, unguessable: the act is done once. Null: it has none. */
export type Ref = string | null

/** How a change is recorded. */
interface Doing {
  /** Who does it, by default the current actor. */
  by?: Actor | null
  ref?: Ref
}

const changeTo = { open: 'recalled', done: 'done', void: 'void' } as const satisfies Record<
  TicketLineState,
  TicketChange
>

/**
 * The tickets of the kitchen: one for each order, station and batch. The functions that write are called inside the
 * transaction of their cause, and record each change there with its actor (`actor`, or null).
 */
export function tickets(db: Db, actor: () => Actor | null) {
  const insertTicket = db.prepare<[OrderId, StationId, number, TicketState, number, number | null, HeldFor | null]>(
    'INSERT INTO ticket (order_id, station_id, batch, state, opened_at, fire_at, held_for) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const insertItem = db.prepare<[TicketId, OrderLineId]>(
    `INSERT INTO ticket_item (ticket_id, line_id, state) VALUES (?, ?, 'open')`,
  )
  const insertEvent = db.prepare<[TicketId, TicketChange, number]>(
    'INSERT INTO ticket_event (ticket_id, what, at) VALUES (?, ?, ?)',
  )
  const insertAct = db.prepare<
    [TicketId, OrderLineId | null, TicketChange, number, Actor['kind'] | null, number | null, string | null, Ref]
  >(
    `INSERT INTO ticket_event (ticket_id, line_id, what, at, actor_kind, actor_id, actor, client_ref)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const selectRef = db.prepare<[string], number>('SELECT 1 FROM ticket_event WHERE client_ref = ?').pluck()
  const selectLastBatch = db
    .prepare<[OrderId], number>('SELECT coalesce(max(batch), 0) FROM ticket WHERE order_id = ?')
    .pluck()
  const selectStates = db
    .prepare<[OrderId], TicketState>('SELECT state FROM ticket WHERE order_id = ? ORDER BY id')
    .pluck()
  const selectState = db.prepare<[TicketId], TicketState>('SELECT state FROM ticket WHERE id = ?').pluck()
  const selectHeld = db
    .prepare<[OrderId], TicketId>(`SELECT id FROM ticket WHERE order_id = ? AND state = 'held' ORDER BY id`)
    .pluck()
  const selectWaiting = db.prepare<[OrderId, HeldFor], { id: TicketId; fireAt: number | null }>(
    `SELECT id, fire_at AS fireAt FROM ticket WHERE order_id = ? AND state = 'held' AND held_for = ? ORDER BY id`,
  )
  const selectFirst = db.prepare<[OrderId], TicketId | null>('SELECT min(id) FROM ticket WHERE order_id = ?').pluck()
  const selectItems = db.prepare<[OrderId], TicketItem>(
    `SELECT ticket_id AS ticketId, line_id AS lineId, ticket_item.state
       FROM ticket JOIN ticket_item ON ticket_id = ticket.id WHERE order_id = ? ORDER BY ticket_id, line_id`,
  )
  const updateItem = db.prepare<[TicketLineState, TicketId, OrderLineId]>(
    'UPDATE ticket_item SET state = ? WHERE ticket_id = ? AND line_id = ?',
  )
  const updateTicket = db.prepare<{ id: TicketId; state: TicketState; closedAt: number | null }>(
    'UPDATE ticket SET state = @state, closed_at = @closedAt WHERE id = @id',
  )
  const noticeVoid = db.prepare<[number, TicketId]>('UPDATE ticket SET notice_at = ? WHERE id = ?')
  const endNotice = db.prepare<[TicketId]>('UPDATE ticket SET notice_at = NULL WHERE id = ?')
  const seeTicket = db.prepare<{ id: TicketId; openedAt: number; at: number }>(
    `UPDATE ticket SET seen_at = @at
      WHERE id = @id AND state <> 'held' AND opened_at = @openedAt AND seen_at IS NULL`,
  )
  const acknowledgeTicket = db.prepare<[number, TicketId]>('UPDATE ticket SET acknowledged_at = ? WHERE id = ?')
  const askAgain = db.prepare<[OrderId]>('UPDATE ticket SET acknowledged_at = NULL WHERE order_id = ?')
  const holdTicket = db.prepare<[number | null, TicketId]>(`UPDATE ticket SET state = 'held', fire_at = ? WHERE id = ?`)
  const endWait = db.prepare<[TicketId]>('UPDATE ticket SET held_for = NULL WHERE id = ?')
  // Firing clears `seen_at`, because no screen has shown the ticket at its station yet.
  const fireTicket = db.prepare<[number, TicketId]>(
    `UPDATE ticket SET state = 'open', opened_at = ?, held_for = NULL, seen_at = NULL WHERE id = ?`,
  )

  function remember(
    ticketId: TicketId,
    lineId: OrderLineId | null,
    what: TicketChange,
    at: number,
    { by = actor(), ref = null }: Doing = {},
  ): void {
    insertAct.run(ticketId, lineId, what, at, by?.kind ?? null, by?.id ?? null, by?.name ?? null, ref)
  }

  function fire(id: TicketId, at: number, ref: Ref = null): void {
    fireTicket.run(at, id)
    remember(id, null, 'fired', at, { ref })
  }

  return {
    /** Opens tickets of an order's lines. */
    open(orderId: OrderId, { batch, routed, holds, isAdded }: Opening, lines: { id: OrderLineId }[], at: number): void {
      for (const [stationId, indexes] of routed) {
        const hold = holds?.get(stationId)
        const state = hold ? 'held' : 'open'
        const { fireAt = null, heldFor = null } = hold ?? {}
        const { lastInsertRowid } = insertTicket.run(orderId, stationId, batch, state, at, fireAt, heldFor)
        const ticketId = lastInsertRowid as TicketId
        for (const index of indexes) {
          const line = lines[index]
          if (line) insertItem.run(ticketId, line.id)
        }
        // The tickets of a new order have no actor.
        if (!isAdded) insertEvent.run(ticketId, hold ? 'held' : 'opened', at)
        else {
          remember(ticketId, null, 'added', at)
          if (hold) remember(ticketId, null, 'held', at)
        }
      }
    },

    nextBatch: (orderId: OrderId): number => (selectLastBatch.get(orderId) ?? 0) + 1,

    states: (orderId: OrderId): TicketState[] => selectStates.all(orderId),

    /** The held tickets of an order. */
    held: (orderId: OrderId): TicketId[] => selectHeld.all(orderId),

    /** All items of an order's tickets. */
    items: (orderId: OrderId): TicketItem[] => selectItems.all(orderId),

    /**
     * Sets the states of items, and those of their tickets accordingly. Voided lines of a ticket that is at its station are shown
     * there until `dismiss`.
     */
    setItems(orderId: OrderId, changed: TicketItem[], at: number, { by = actor(), ref = null }: Doing = {}): void {
      for (const [index, { state, ticketId, lineId }] of changed.entries()) {
        if (state === 'void' && selectState.get(ticketId) !== 'held') noticeVoid.run(at, ticketId)
        updateItem.run(state, ticketId, lineId)
        remember(ticketId, lineId, changeTo[state], at, { by, ref: index === 0 ? ref : null })
      }
      for (const id of new Set(changed.map(({ ticketId }) => ticketId))) {
        const items = selectItems.all(orderId).filter(item => item.ticketId === id)
        const before = selectState.get(id)
        const state = stateOfTicket(
          items.map(item => item.state),
          before === 'held',
        )
        updateTicket.run({ id, state, closedAt: state === 'open' || state === 'held' ? null : at })
        if (state !== before && state !== 'held') remember(id, null, changeTo[state], at, { by })
      }
    },

    /** Holds an open ticket, or changes the time of a held one. */
    hold(id: TicketId, { fireAt }: Hold, at: number): void {
      holdTicket.run(fireAt, id)
      remember(id, null, 'held', at)
    },

    /** Sends a held ticket to its station because a person fires it. */
    fire,

    /**
     * Called when what an order's tickets waited for has happened. Fires them, except those whose time has not come. Returns how many
     * waited for it.
     */
    release(orderId: OrderId, heldFor: HeldFor, at: number): number {
      const waiting = selectWaiting.all(orderId, heldFor)
      for (const { id, fireAt } of waiting) {
        if (fireAt === null || fireAt <= at) fire(id, at)
        else {
          endWait.run(id)
          remember(id, null, 'held', at)
        }
      }
      return waiting.length
    },

    /** Sends a held ticket to its station because its time has come. */
    fireByItself(id: TicketId, at: number): void {
      fireTicket.run(at, id)
      insertEvent.run(id, 'fired', at)
    },

    /** Whether an act with this reference was recorded. */
    isDone: (ref: string): boolean => selectRef.get(ref) !== undefined,

    /** Records an act that had nothing to change, so that it still changes nothing if it is sent again later. */
    noteAct: (id: TicketId, at: number, ref: Ref): void => remember(id, null, 'seen', at, { ref }),

    /** Records what happened to an order at the pass; nothing if the order has no tickets. */
    noteAtPass(orderId: OrderId, what: PassChange, at: number, ref: Ref = null): void {
      const first = selectFirst.get(orderId)
      if (first) remember(first, null, what, at, { ref })
    },

    /** Records that a screen has shown a ticket since the ticket came to its station at `openedAt`, unless that was recorded before. */
    see(id: TicketId, openedAt: number, at: number, by: Actor | null = actor()): void {
      if (seeTicket.run({ id, openedAt, at }).changes > 0) remember(id, null, 'seen', at, { by })
    },

    /** Records that the kitchen has acknowledged the notes about allergies and from guests on a ticket. */
    acknowledge(id: TicketId, at: number, ref: Ref): void {
      acknowledgeTicket.run(at, id)
      remember(id, null, 'seen', at, { ref })
    },

    /** Called when the notes of an order have changed: the kitchen must acknowledge them again. */
    askToAcknowledge: (orderId: OrderId): void => void askAgain.run(orderId),

    /** Records that the kitchen has dismissed the notice of voided lines. */
    dismiss(id: TicketId, at: number, ref: Ref): void {
      endNotice.run(id)
      remember(id, null, 'seen', at, { ref })
    },
  }
}

export type Tickets = ReturnType<typeof tickets>
