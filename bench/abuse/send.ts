import { connect, type Socket } from 'node:net'

/** Bytes for one connection, and the number of responses that they should get. */
export interface Batch {
  bytes: Buffer
  requests: number
}

export interface SendOptions {
  port: number
  /** The number of simultaneous connections. */
  atOnce: number
  /** The address that they come from. */
  from: string
}

/** The number of responses by status; a connection that was closed without any counts as "closed". */
export type Tally = Map<string, number>

// Reached only if the server does not do what is waited for.
const GIVE_UP_MS = 30_000

/** Sends batches, each over a new connection, and waits for the responses or the end of the connection. */
export async function send(batches: Iterable<Batch>, { port, atOnce, from }: SendOptions): Promise<Tally> {
  const tally: Tally = new Map()
  const queue = batches[Symbol.iterator]()
  async function work(): Promise<void> {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      for (const status of await exchange(next.value, port, from)) tally.set(status, (tally.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return tally
}

function exchange({ bytes, requests }: Batch, port: number, from: string): Promise<string[]> {
  return new Promise(resolve => {
    const statuses: string[] = []
    const socket = open(port, from)
    const read = statusReader(status => {
      if (status === '100') return
      statuses.push(status)
      if (statuses.length === requests) socket.destroy()
    })
    socket.setTimeout(GIVE_UP_MS, () => {
      statuses.push('silence')
      socket.destroy()
    })
    socket.on('data', read)
    socket.once('close', () => resolve(statuses.length > 0 ? statuses : ['closed']))
    socket.write(bytes)
  })
}

/** A connection whose end is not an error. */
export function open(port: number, from: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  socket.on('error', () => {})
  return socket
}

/** Finds the statuses of responses in the received bytes, however they are split into chunks. */
export function statusReader(onStatus: (status: string) => void): (chunk: Buffer) => void {
  const start = 'HTTP/1.1 '
  let rest = ''
  return chunk => {
    const text = rest + chunk.toString('latin1')
    let end = 0
    for (let at = text.indexOf(start); at !== -1 && at + 12 <= text.length; at = text.indexOf(start, end)) {
      end = at + 12
      onStatus(text.slice(at + 9, end))
    }
    rest = text.slice(Math.max(end, text.length - 11))
  }
}

/** Writes the same bytes repeatedly until the connection ends, or until so many milliseconds have passed. */
export function pour(socket: Socket, bytes: Buffer, ms: number): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(() => socket.destroy(), ms)
    const write = () => {
      while (!socket.destroyed && socket.write(bytes));
    }
    socket.on('drain', write)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
    write()
  })
}

/** Resolves when a connection ends. */
export function ended(socket: Socket): Promise<void> {
  return socket.closed ? Promise.resolve() : new Promise(resolve => socket.once('close', () => resolve()))
}

/** The same request so many times, in batches. */
export function* repeated(total: number, each: number, request: (index: number) => Buffer): Generator<Batch> {
  for (let sent = 0; sent < total; sent += each) {
    const requests = Math.min(each, total - sent)
    yield { bytes: Buffer.concat(Array.from({ length: requests }, (_, index) => request(sent + index))), requests }
  }
}
