import { type BoardReply, parseBoardReply } from './board-reply.ts'

// After this time without a good reply, the screen says that it is not live. The server holds a request for at most 10 seconds.
const silenceMs = 12_000

const heldMs = 11_500
const immediateMs = 5_000
const gapMs = 50
const longestPauseMs = 2_000

export interface LiveOptions {
  /** The address of the board, with the stations. */
  address: string
  /** What this screen tells the server about itself. */
  status(): Record<string, string>
  /** Called with the server's time of each reply (UTC milliseconds). */
  told(now: number): void
  /** Draws a board. The next request names its version only after this has resolved. */
  draw(board: NonNullable<BoardReply['board']>): Promise<void>
  /** Called with each reply: whether the server still accepts this device. */
  known(isKnown: boolean): void
}

export interface Live {
  /** When the last good reply came, by the clock of the page (milliseconds). */
  heardAt(): number
  isLive(): boolean
  /** Asks for the whole board at once, and aborts the request under way. */
  ask(): void
  /** To be called when the device has slept for so many milliseconds, because the clock of the page may have stopped meanwhile. */
  slept(ms: number): void
}

/**
 * Keeps a board up to date by long polling (decision 055): each request names the version that is drawn, and the server replies as
 * soon as there is another one. After a failure it asks for the whole board, which the server sends at once.
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
            // A board that cannot be drawn does not count as heard.
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
