import { forget, keep, keptUnder } from '../kept.ts'

/** An act of a person at this screen. */
export interface Act {
  /** The fields of its form: the act, the ticket, the line unless it is about the whole ticket, and what was shown. */
  fields: Record<string, string>
  /** The idempotency key, with which the server does it only once. */
  ref: string
  /** Acts are sent in this order: UTC milliseconds of this device, raised if its clock goes back. */
  order: number
}

/** `waiting`: not sent or not confirmed. `confirmed`: the server has done it, but the board that shows it is not drawn yet. */
export type ActState = 'waiting' | 'confirmed'

export interface Acts {
  add(fields: Record<string, string>): void
  /** The acts that the board does not show yet, in order. `hasFailed`: the last attempt to send has failed. */
  list(): { act: Act; state: ActState; hasFailed: boolean }[]
  /** How many acts are waiting. */
  unsent(): number
  /** Sends the waiting acts now. */
  send(): void
  /** A board was drawn, which shows all acts that were confirmed before. */
  drawn(): void
}

const longestMs = 5_000
const againMs = 1_500

// With these statuses, the same act would be rejected again. The first rejections may come from a proxy, so it is tried a few times.
const rejecting = [400, 404, 409, 413, 415, 422]
const mostRejections = 3

interface Confirmed {
  act: Act
  /** What the next act on the ticket must name in `shown`. */
  shown: string | undefined
}

type Outcome =
  | { is: 'done'; shown: string | undefined }
  | { is: 'refused'; sentence: string }
  | { is: 'rejected' }
  /** No reply of the server: the act is sent again with the same key. */
  | { is: 'unknown' }

/**
 * Sends acts one after the other in their order, each with the same idempotency key until the server confirms or refuses it. Acts
 * survive a reload. `changed` is called when `list` has changed, and `refused` without a sentence when the server has sent none.
 */
export function acts(address: string, changed: () => void, refused: (act: Act, sentence?: string) => void): Acts {
  // Acts of other kinds of screens on this device have other addresses.
  const prefix = `act ${new URL(address, location.href).pathname} `
  let waiting = keptUnder(prefix)
    .flatMap(readAct)
    .sort((a, b) => a.order - b.order)
  let confirmed: Confirmed[] = []
  let isSending = false
  let failures = 0
  let rejections = 0

  async function send(): Promise<void> {
    if (isSending) return
    isSending = true
    for (let [act] = waiting; act; [act] = waiting) {
      const outcome = await sendOne(act)
      rejections = outcome.is === 'rejected' ? rejections + 1 : 0
      if (outcome.is === 'unknown' || (outcome.is === 'rejected' && rejections < mostRejections)) {
        failures++
        changed()
        break
      }
      failures = 0
      rejections = 0
      waiting = waiting.filter(each => each !== act)
      if (outcome.is === 'done') {
        const { shown } = outcome
        confirmed.push({ act, shown })
        for (const next of waiting) follow(next, { act, shown })
      } else refused(act, outcome.is === 'refused' ? outcome.sentence : undefined)
      forget(prefix + act.ref)
      changed()
    }
    isSending = false
  }

  async function sendOne({ fields, ref }: Act): Promise<Outcome> {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), longestMs)
    let isRejected = false
    try {
      const response = await fetch(address, {
        method: 'POST',
        body: new URLSearchParams({ ...fields, ref }),
        headers: { Accept: 'application/json' },
        redirect: 'error',
        signal: controller.signal,
      })
      isRejected = rejecting.indexOf(response.status) !== -1
      const said: { done?: unknown; refused?: unknown; shown?: unknown } | null = await response.json()
      if (response.status === 200 && said?.done === true)
        return { is: 'done', shown: typeof said.shown === 'string' ? said.shown : undefined }
      if (response.status >= 400 && typeof said?.refused === 'string') return { is: 'refused', sentence: said.refused }
    } catch {
      // There was no reply, or it came from something in between, such as a proxy.
    } finally {
      clearTimeout(timer)
    }
    return { is: isRejected ? 'rejected' : 'unknown' }
  }

  /** Lets a waiting act on the same ticket name the state after this act: that change came from this screen, so it was seen. */
  function follow(next: Act, { act, shown }: Confirmed): void {
    if (shown === undefined || next.fields.ticket !== act.fields.ticket || next.fields.shown !== act.fields.shown)
      return
    next.fields.shown = shown
    keep(prefix + next.ref, JSON.stringify(next))
  }

  setInterval(() => {
    if (waiting.length > 0) void send()
  }, againMs)
  void send()

  return {
    add(fields) {
      const order = Math.max(Date.now(), (waiting[waiting.length - 1]?.order ?? 0) + 1)
      const added: Act = { fields, ref: newRef(), order }
      keep(prefix + added.ref, JSON.stringify(added))
      for (const before of confirmed) follow(added, before)
      waiting.push(added)
      changed()
      void send()
    },
    list: () => [
      ...confirmed.map(({ act }) => ({ act, state: 'confirmed' as const, hasFailed: false })),
      ...waiting.map(act => ({ act, state: 'waiting' as const, hasFailed: failures > 0 })),
    ],
    unsent: () => waiting.length,
    send: () => void send(),
    drawn() {
      confirmed = []
    },
  }
}

/** A random idempotency key. Browsers offer crypto.randomUUID only over https. */
function newRef(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('')
}

function readAct(text: string): Act[] {
  try {
    const { fields, ref, order } = JSON.parse(text)
    return typeof fields === 'object' && typeof ref === 'string' && typeof order === 'number'
      ? [{ fields, ref, order }]
      : []
  } catch {
    return []
  }
}
