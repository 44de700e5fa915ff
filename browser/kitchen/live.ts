import { type BoardReply, parseBoardReply } from './board-reply.ts'

/** After so long without a good answer, the screen says that it is not live. The server holds a request for 10 s at most. */
const silenceMs = 12_000

const heldMs = 11_500
const immediateMs = 5_000
const gapMs = 50
const longestPauseMs = 2_000

export interface LiveOptions {
  /** The address of the board, with the stations. */
  address: string
  /** What the server is told about this screen. */
  status(): Record<string, string>
  /** The server's time, as it came with an answer. */
  told(now: number): void
  /** Draws a board. The next request names its version only after this has resolved. */
  draw(board: NonNullable<BoardReply['board']>): Promise<void>
  /** What was said last: whether the server still knows this screen. */
  known(isKnown: boolean): void
}

export interface Live {
  /** When the last good answer came, by the clock of the page. */
  heardAt(): number
  isLive(): boolean
  /** Asks again at once, without waiting for the request under way. */
  ask(): void
  /** The device has slept so long (milliseconds), during which the clock of the page may have stood still. */
  slept(ms: number): void
}

/**
 * Asks for the board for ever: each request names the version that is drawn, and the server answers as soon as there is another
 * one. After a failure the whole board is asked for, which the server answers at once.
 */
export function stayLive({ address, status, told, draw, known }: LiveOptions): Live {
  let heardAt = performance.now()
  let underWay: AbortController | undefined
  let wake: (() => void) | undefined
  let isAsked = false

  async function ask(drawn: string): Promise<BoardReply> {
    const query = new URLSearchParams({ ...(drawn !== '' && { drawn }), ...status() })
    const controller = new AbortController()
    underWay = controller
    const timer = setTimeout(() => controller.abort(), drawn === '' ? immediateMs : heldMs)
    try {
      const response = await fetch(`${address}${address.includes('?') ? '&' : '?'}${query}`, {
        headers: { Accept: 'application/json', 'Servery-Refresh': 'yes' },
        cache: 'no-store',
        redirect: 'error',
        signal: controller.signal,
      })
      known(response.status !== 401 && response.status !== 403)
      if (response.status !== 200) throw new Error(`the board came with ${response.status}`)
      const answer = parseBoardReply(await response.json())
      const now = Number(response.headers.get('Servery-Now'))
      if (!(now > 0)) throw new Error('the answer has no time')
      if (!answer.board && answer.version !== drawn) throw new Error('the answer is about another board')
      told(now)
      return answer
    } finally {
      clearTimeout(timer)
      underWay = undefined
    }
  }

  async function run(): Promise<never> {
    let drawn = ''
    let failures = 0
    for (;;) {
      const startedAt = performance.now()
      if (isAsked) drawn = ''
      isAsked = false
      try {
        const { version, board } = await ask(drawn)
        const before = heardAt
        heardAt = performance.now()
        if (board) {
          await draw(board).catch(error => {
            // A board that cannot be drawn was not heard.
            heardAt = before
            throw error
          })
        }
        drawn = version
        failures = 0
        await pause(gapMs - (performance.now() - startedAt))
      } catch {
        drawn = ''
        if (isAsked) continue
        await pause(Math.min(longestPauseMs, 250 * 2 ** failures++))
      }
    }
  }

  function pause(ms: number): Promise<void> {
    if (ms <= 0) return Promise.resolve()
    return new Promise(resolve => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  function askAtOnce(): void {
    isAsked = true
    underWay?.abort()
    wake?.()
  }

  void run()
  return {
    heardAt: () => heardAt,
    isLive: () => performance.now() - heardAt < silenceMs,
    ask: askAtOnce,
    slept(ms) {
      heardAt -= ms
      askAtOnce()
    },
  }
}
