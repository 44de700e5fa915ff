import type { Shop } from './shop.ts'

/** A job as a printer fetched it. */
export interface Fetched {
  token: string | null
  type: string
  bytes: Buffer
}

export interface StarOptions {
  /** The media types that it prints, the preferred first. */
  prints?: string[]
  /** Older firmware knows no tokens. */
  hasTokens?: boolean
}

/**
 * A Star printer as the CloudPRNT protocol guide 2.4 describes it, over real HTTP. It does one step of its cycle at a time, so that a
 * test can cut it off anywhere.
 */
export function starPrinter(shop: Pick<Shop, 'url'>, secret: string, options: StarOptions = {}) {
  const { prints = ['application/vnd.star.starprnt', 'text/plain'], hasTokens = true } = options
  const address = `${shop.url}/printers/${secret}`
  const mac = '00:11:62:00:00:01'
  const paper: Buffer[] = []
  let statusCode = '200 OK'
  let status = '23 86 00 00 00 00 00 00 00'
  let offered: { token: string | null; type: string; deleteMethod: string } | undefined

  function query(parameters: Record<string, string | null>): string {
    const given = Object.entries(parameters).flatMap(([name, value]) => (value === null ? [] : [[name, value]]))
    return new URLSearchParams([['mac', mac], ...given] as [string, string][]).toString()
  }

  const printer = {
    /** The jobs that it has printed completely. */
    paper,

    /** Sets the state that it reports. */
    says(code: string, bytes = status): void {
      statusCode = code
      status = bytes
    },

    /** POST: reports its state. True if a job is ready. */
    async poll(more: Record<string, unknown> = {}): Promise<boolean> {
      const response = await fetch(address, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'User-Agent': 'Star mC-Print3 Ver 5.1' },
        body: JSON.stringify({
          status,
          printerMAC: mac,
          uniqueID: null,
          statusCode: encodeURIComponent(statusCode),
          printingInProgress: false,
          clientAction: null,
          ...more,
        }),
      })
      if (response.status !== 200) throw new Error(`POST: ${response.status} ${await response.text()}`)
      const body = (await response.json()) as Record<string, unknown>
      offered = undefined
      // While the printer is offline, it only polls.
      if (body.jobReady !== true || !statusCode.startsWith('2')) return false
      const type = prints.find(each => (body.mediaTypes as string[]).includes(each)) ?? 'none'
      const token = hasTokens ? String(body.jobToken) : null
      offered = { token, type, deleteMethod: String(body.deleteMethod ?? 'DELETE') }
      return true
    },

    /** GET: fetches the job that was offered; undefined if the server has none. */
    async get(): Promise<Fetched | undefined> {
      if (!offered) throw new Error('nothing was offered')
      const { token, type } = offered
      const response = await fetch(`${address}?${query({ type, token })}`)
      const bytes = Buffer.from(await response.arrayBuffer())
      return response.status === 200 ? { token, type: String(response.headers.get('content-type')), bytes } : undefined
    },

    /** DELETE, or GET with `delete` if the server wants that: confirms a job, or says why it was not printed. */
    async confirm(
      { token }: { token: string | null },
      code = '200 OK',
      method = offered?.deleteMethod,
    ): Promise<number> {
      const parameters = query({ code, token })
      const response =
        method === 'GET'
          ? await fetch(`${address}?${parameters}&delete`)
          : await fetch(`${address}?${parameters}`, { method: 'DELETE' })
      await response.text()
      return response.status
    },

    /** Prints all that waits. Returns how many jobs that were. */
    async run(): Promise<number> {
      let jobs = 0
      while (await printer.poll()) {
        const job = await printer.get()
        if (!job) break
        paper.push(job.bytes)
        await printer.confirm(job)
        jobs++
      }
      return jobs
    },
  }
  return printer
}

export type StarPrinter = ReturnType<typeof starPrinter>

/** The commands that it understands: their first bytes, and how many bytes follow. */
const commands: { start: number[]; more: number; isCut?: boolean }[] = [
  { start: [0x1b, 0x40], more: 0 },
  { start: [0x1b, 0x69], more: 2 },
  { start: [0x1b, 0x45], more: 0 },
  { start: [0x1b, 0x46], more: 0 },
  { start: [0x1b, 0x34], more: 0 },
  { start: [0x1b, 0x35], more: 0 },
  { start: [0x1b, 0x1d, 0x61], more: 1 },
  { start: [0x1b, 0x1d, 0x74], more: 1 },
  { start: [0x1b, 0x1d, 0x29, 0x55, 2, 0, 0x30], more: 1 },
  { start: [0x1b, 0x64], more: 1, isCut: true },
]

/** The text on paper, without the commands of StarPRNT; throws at a command that it does not know. */
export function starText(bytes: Buffer): { text: string; cuts: number } {
  const text: number[] = []
  let cuts = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    const command = commands.find(({ start }) => start.every((each, index) => bytes[at + index] === each))
    if (command) {
      at += command.start.length + command.more - 1
      if (command.isCut) cuts++
    } else if ((byte < 0x20 && byte !== 0x0a) || byte === 0x7f) {
      throw new Error(`an unknown command: ${bytes.subarray(at, at + 8).toString('hex')}`)
    } else text.push(byte)
  }
  return { text: Buffer.from(text).toString('utf8'), cuts }
}
