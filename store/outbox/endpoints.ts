import type { Db } from '../file/open.ts'
import type { Noting } from '../people/activity.ts'
import type { Clock } from '../terms/clock.ts'
import type { EndpointId } from '../terms/ids.ts'
import { isRefused, type Refusal } from '../terms/refusal.ts'
import { flawOfText } from '../terms/text.ts'
import { isOrderEventType, type OrderEventType, orderEventTypes } from './order-event.ts'

/** A system that receives events. */
export interface Endpoint {
  id: EndpointId
  url: string
  paused: boolean
  createdAt: number
}

/**
 * The maximum number of endpoints. Each has a share of the 32 simultaneous attempts (decision F6), so that one that hangs
 * cannot take the places of the others. With more endpoints than places this would not work.
 */
const MOST_ENDPOINTS = 32

const LONGEST_URL = 2000

/** The endpoints and the selection of events. `markChanged` is called in every transaction that changes them. */
export function endpoints(db: Db, clock: Clock, markChanged: () => void, { note }: Noting) {
  const selectAll = db.prepare<[], Omit<Endpoint, 'paused'> & { paused: number }>(
    'SELECT id, url, paused, created_at AS createdAt FROM webhook_endpoint ORDER BY id',
  )
  const insert = db.prepare<{ url: string; now: number }>(
    'INSERT INTO webhook_endpoint (url, paused, created_at) VALUES (@url, 0, @now)',
  )
  const deleteOne = db.prepare<[EndpointId]>('DELETE FROM webhook_endpoint WHERE id = ?')
  const setPaused = db.prepare<{ id: EndpointId; paused: number }>(
    'UPDATE webhook_endpoint SET paused = @paused WHERE id = @id AND paused <> @paused',
  )
  // In the same transaction, so that nothing is ever sent to an endpoint after it was removed or paused.
  const losePending = db.prepare<{ id: EndpointId; reason: string }>(
    `UPDATE webhook_attempt SET state = 'lost', reason = @reason WHERE state = 'pending' AND endpoint_id = @id`,
  )
  const selectSelection = db.prepare<[], string>('SELECT type FROM webhook_selection ORDER BY type').pluck()
  const clearSelection = db.prepare('DELETE FROM webhook_selection')
  const insertSelected = db.prepare<[OrderEventType]>('INSERT OR IGNORE INTO webhook_selection VALUES (?)')

  function list(): Endpoint[] {
    return selectAll.all().map(row => ({ ...row, paused: row.paused === 1 }))
  }

  function byId(id: EndpointId): Endpoint | undefined {
    return list().find(endpoint => endpoint.id === id)
  }

  const add = db.transaction((url: string): Endpoint | Refusal => {
    const present = list()
    if (present.some(endpoint => endpoint.url === url)) return { refused: 'endpoint exists', url }
    if (present.length >= MOST_ENDPOINTS) return { refused: 'too many endpoints', most: MOST_ENDPOINTS }
    const createdAt = clock.now()
    const id = insert.run({ url, now: createdAt }).lastInsertRowid as EndpointId
    const endpoint = { id, url, paused: false, createdAt }
    markChanged()
    note({ what: 'endpoint added', subject: nameOf(endpoint) })
    return endpoint
  })

  const remove = db.transaction((id: EndpointId): Refusal | undefined => {
    const endpoint = byId(id)
    if (!endpoint) return { refused: 'unknown endpoint', endpoint: id }
    losePending.run({ id, reason: 'the endpoint was removed' })
    deleteOne.run(id)
    markChanged()
    note({ what: 'endpoint removed', subject: nameOf(endpoint) })
    return undefined
  })

  const pause = db.transaction((id: EndpointId, paused: boolean): Refusal | undefined => {
    const endpoint = byId(id)
    if (!endpoint) return { refused: 'unknown endpoint', endpoint: id }
    if (endpoint.paused === paused) return undefined
    setPaused.run({ id, paused: Number(paused) })
    if (paused) losePending.run({ id, reason: 'the endpoint was paused' })
    markChanged()
    note({ what: paused ? 'endpoint paused' : 'endpoint resumed', subject: nameOf(endpoint) })
    return undefined
  })

  const select = db.transaction((types: OrderEventType[]): void => {
    const was = selectionText(selectSelection.all())
    clearSelection.run()
    for (const type of types) insertSelected.run(type)
    const became = selectionText(selectSelection.all())
    if (became === was) return
    markChanged()
    note({ what: 'events selected', was, became })
  })

  return {
    list,

    byId,

    /** Adds an endpoint. Refuses what is not a plain https URL (decision F7), a second one of the same URL, and a 33rd. */
    add(text: string): Endpoint | Refusal {
      const url = parseEndpointUrl(text)
      return isRefused(url) ? url : add.immediate(url)
    },

    /** Removes an endpoint; events that were not delivered to it yet are lost to it. */
    remove: (id: EndpointId): Refusal | undefined => remove.immediate(id),

    /** Pauses or resumes an endpoint. Events that happen while it is paused are lost to it. */
    pause: (id: EndpointId, paused: boolean): Refusal | undefined => pause.immediate(id, paused),

    /** The selected events; none means all of them (section 6). */
    selection: (): OrderEventType[] => selectSelection.all().filter(isOrderEventType),

    /** Selects events by their names; none selects all of them. Refuses names that are not events. */
    select(types: string[]): Refusal<'unknown event types'> | undefined {
      const unknown = types.filter(type => !isOrderEventType(type))
      if (unknown.length > 0) return { refused: 'unknown event types', types: unknown, known: orderEventTypes }
      select.immediate(types.filter(isOrderEventType))
      return undefined
    },
  }
}

/** An endpoint's URL in its normalised form (decision F7). */
export function parseEndpointUrl(text: string): string | Refusal<'invalid endpoint'> {
  const refused = 'invalid endpoint'
  const flaw = flawOfText(text, { least: 1, most: LONGEST_URL })
  if (flaw) return { refused, url: text, flaw }
  if (!URL.canParse(text)) return { refused, url: text, flaw: 'not a URL' }
  const url = new URL(text)
  if (url.protocol !== 'https:') return { refused, url: text, flaw: 'not https' }
  if (url.username !== '' || url.password !== '') return { refused, url: text, flaw: 'has credentials' }
  url.hash = ''
  return url.href
}

function nameOf({ id, url }: Endpoint): string {
  return `endpoint ${id} ${withoutQuery(url)}`
}

function selectionText(types: string[]): string {
  return types.length === 0 ? 'all events' : types.join(', ')
}

/** A URL as logs show it: without its query, which may contain a secret. */
export function withoutQuery(url: string): string {
  return url.split('?', 1)[0] as string
}
