import type { Db } from '../file/open.ts'
import type { Clock } from '../terms/clock.ts'
import type { OrderId } from '../terms/ids.ts'
import type { Actor } from './actor.ts'

/** Every kind of act in the audit trail (decision G6). */
export const deeds = [
  'order placed',
  'order edited',
  'order confirmed',
  'order completed',
  'order cancelled',
  'order sent out',
  'order fulfilled',
  'hand-over taken back',
  'payment taken',
  'payment voided',
  'refund given',
  'credit given',
  'drawer opened',
  'cash paid in',
  'cash paid out',
  'cash counted',
  'day closed',
  'order called',
  'ticket bumped',
  'ticket recalled',
  'ticket acknowledged',
  'ticket held',
  'ticket fired',
  'taken off the menu',
  'put back on the menu',
  'station closed',
  'station opened',
  'orders paused',
  'orders resumed',
  'table codes made',
  'table codes reset',
  'marked as busy',
  'no longer busy',
  'station backup set',
  'stock counted',
  'stock delivered',
  'stock wasted',
  'menu imported',
  'menu import undone',
  'menu edited',
  'menu edit undone',
  'setting changed',
  'token generated',
  'secret set',
  'secret rotated',
  'older secrets retired',
  'secrets cleared',
  'endpoint added',
  'endpoint removed',
  'endpoint paused',
  'endpoint resumed',
  'events selected',
  'staff added',
  'staff ended',
  'staff renamed',
  'role changed',
  'password set',
  'PIN set',
  'PIN removed',
  'logged in',
  'session ended',
  'device paired',
  'device ended',
  'printer changed',
  'slip printed',
  'old slips printed',
  'old slips discarded',
  'made-up days added',
  'backup started',
  'guest data deleted',
  'guest ordering changed',
] as const
export type Deed = (typeof deeds)[number]

/** An act as it is recorded. Its texts are short and never contain secrets, tokens, or names or texts of guests. */
export interface Note {
  what: Deed
  orderId?: OrderId
  /** Its subject, besides the order: "item 12 Francesinha". */
  subject?: string | null
  /** What changed, before and after: amounts, statuses, values of settings. */
  was?: string | null
  became?: string | null
}

export interface Activity extends Required<Note> {
  id: number
  /** UTC milliseconds. */
  at: number
  actor: Actor
}

/** A search of the audit trail; every given member must match. */
export interface ActivityFilter {
  /** At this instant or later (UTC milliseconds). */
  since?: number
  /** The name of the actor; upper and lower case are equal. */
  by?: string
  orderId?: OrderId
  /** Only those before this one, to continue a list. */
  before?: number
}

/** Records acts in the open transaction. */
export interface Noting {
  /** The current actor. Throws if there is none. */
  actor(): Actor
  /** `at` is by default now, `actor` the current actor. */
  note(note: Note, given?: { at?: number; actor?: Actor | undefined }): void
}

/** For automatic work that has no actor, such as deliveries. */
export const nobody: Noting = { actor: refuseToAct, note: refuseToAct }

function refuseToAct(): never {
  throw new Error('nobody acts here')
}

/** The largest number of rows that one search returns. */
export const MOST_ACTIVITY = 10_000

interface ActivityRow extends Required<Note> {
  id: number
  at: number
  actorKind: Actor['kind']
  actorId: number | null
  actorName: string
}

interface Filter {
  since: number | null
  by: string | null
  before: number | null
  most: number
}

/** The append-only audit trail. `note` is called inside the transaction of the act, so that both are stored or neither. */
export function activity(db: Db, clock: Clock) {
  const insert = db.prepare<Omit<ActivityRow, 'id' | 'orderId'> & { orderId: OrderId | null }>(
    `INSERT INTO activity (at, actor_kind, actor_id, actor, what, order_id, subject, was, became)
     VALUES (@at, @actorKind, @actorId, @actorName, @what, @orderId, @subject, @was, @became)`,
  )
  const columns = `id, at, actor_kind AS actorKind, actor_id AS actorId, actor AS actorName, what, order_id AS orderId,
    subject, was, became`
  const matches = `(@before IS NULL OR id < @before) AND (@since IS NULL OR at >= @since)
        AND (@by IS NULL OR actor = @by COLLATE NOCASE)`
  const selectNewest = db.prepare<Filter, ActivityRow>(
    `SELECT ${columns} FROM activity WHERE ${matches} ORDER BY id DESC LIMIT @most`,
  )
  const selectOfOrder = db.prepare<Filter & { orderId: OrderId }, ActivityRow>(
    `SELECT ${columns} FROM activity WHERE order_id = @orderId AND ${matches} ORDER BY id DESC LIMIT @most`,
  )

  return {
    /** Records an act, within the open transaction. */
    note(actor: Actor, { what, orderId, subject, was, became }: Note, at = clock.now()): void {
      insert.run({
        at,
        actorKind: actor.kind,
        actorId: actor.id,
        actorName: actor.name,
        what,
        orderId: orderId ?? null,
        subject: subject ?? null,
        was: was ?? null,
        became: became ?? null,
      })
    },

    /** The matching acts, newest first: at most `most`, and never more than 10,000. */
    list({ since, by, before, orderId }: ActivityFilter, most: number): Activity[] {
      const filter = {
        since: since ?? null,
        by: by ?? null,
        before: before ?? null,
        most: Math.min(most, MOST_ACTIVITY),
      }
      const rows = orderId === undefined ? selectNewest.all(filter) : selectOfOrder.all({ ...filter, orderId })
      return rows.map(({ actorKind, actorId, actorName, ...row }) => ({
        ...row,
        actor: { kind: actorKind, id: actorId, name: actorName },
      }))
    },
  }
}
