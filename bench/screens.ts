import { Agent, request } from 'node:http'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerStarter } from './child.ts'

// Screens of a kitchen without a browser, in a process of their own that gives way to all others, because tablets have processors of
// their own. bench/kitchen.ts starts it.

/** What this process is started with. */
export interface Screens {
  port: number
  /** Each is a device of its own. */
  screens: { cookie: string; stations: string }[]
  /** If given, the first screen only marks the oldest tickets as done while more than so many are open. */
  keepAtMost?: number
}

interface BoardReply {
  tickets?: { id: number; html: string }[]
}

setPriority(constants.priority.PRIORITY_LOW)
const { port, screens, keepAtMost }: Screens = JSON.parse(process.argv[2] ?? '')
const agent = new Agent({ keepAlive: true })

if (keepAtMost === undefined) await Promise.all(screens.map(show))
else for (const screen of screens) void keepUp(screen, keepAtMost)
answerStarter(port)

/** Asks for the board for ever, as browser/kitchen/live.ts does. Resolves when it has the first one. */
async function show({ cookie, stations }: Screens['screens'][number]): Promise<void> {
  const ask = async (drawn: string) => {
    const query = new URLSearchParams({ stations, ...(drawn !== '' && { drawn }) })
    const text = await send(cookie, 'GET', `/kitchen/board?${query}`)
    // Reads no more of the replies than it must.
    return /^\{"version":"([^"]+)"/.exec(text)?.[1] ?? ''
  }
  const first = await ask('')
  void (async () => {
    for (let drawn = first; ; drawn = await ask(drawn)) await sleep(50)
  })()
}

async function keepUp({ cookie, stations }: Screens['screens'][number], most: number): Promise<never> {
  for (;;) {
    await sleep(250)
    const { tickets = [] }: BoardReply = JSON.parse(await send(cookie, 'GET', `/kitchen/board?stations=${stations}`))
    for (const { id, html } of tickets.slice(0, Math.max(0, tickets.length - most))) {
      const shown = /name="shown" value="([^"]+)"/.exec(html)?.[1] ?? ''
      const fields = { act: 'done', ticket: String(id), shown, ref: `bench-screens-done-${id}` }
      await send(cookie, 'POST', '/kitchen/act', new URLSearchParams(fields).toString())
    }
  }
}

function send(cookie: string, method: 'GET' | 'POST', path: string, body = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      Accept: 'application/json',
      Cookie: cookie,
      'Servery-Refresh': 'yes',
      ...(method === 'POST' && {
        'Content-Type': 'application/x-www-form-urlencoded',
        'Content-Length': String(Buffer.byteLength(body)),
        Origin: `http://127.0.0.1:${port}`,
      }),
    }
    const sent = request({ agent, host: '127.0.0.1', port, method, path, headers }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        if (response.statusCode === 200) resolve(text)
        else reject(new Error(`${method} ${path} got ${response.statusCode}: ${text}`))
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
