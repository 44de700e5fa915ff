import { connect, type Socket } from 'node:net'

export interface Load {
  port: number
  /** The whole request, head and body, which is sent repeatedly. */
  request: Buffer
  /** The status that every response must have. */
  status: number
  connections: number
  /** The end of the load: after so many seconds, or after so many requests. */
  until: { seconds: number } | { requests: number }
}

export interface Measured {
  requests: number
  seconds: number
  /** Milliseconds of every request. */
  latencies: Float64Array
}

const LARGEST_HEAD = 4096

/** The responses of all connections pass through this one buffer, so reading them allocates nothing. */
export const received = Buffer.allocUnsafeSlow(256 * 1024)

/**
 * Sends one request repeatedly over some connections, the next one on each as soon as it has the response to the last (closed
 * loop). Rejects when a response has another status or a connection ends.
 */
export function load({ port, request, status, connections, until }: Load): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const most = 'requests' in until ? until.requests : Number.POSITIVE_INFINITY
    const latencies: number[] = []
    const sockets: Socket[] = []
    const start = performance.now()
    const deadline = 'seconds' in until ? start + until.seconds * 1000 : Number.POSITIVE_INFINITY
    let sent = 0
    let open = connections

    function end(): void {
      open = 0
      for (const socket of sockets) socket.destroy()
    }

    function fail(error: Error): void {
      end()
      reject(error)
    }

    function finish(): void {
      const seconds = (performance.now() - start) / 1000
      end()
      resolve({ requests: latencies.length, seconds, latencies: Float64Array.from(latencies) })
    }

    function openConnection(): Socket {
      let sentAt = 0
      function send(now: number): void {
        sent++
        sentAt = now
        socket.write(request)
      }
      const callback = responseReader(status, fail, () => {
        const now = performance.now()
        latencies.push(now - sentAt)
        if (now < deadline && sent < most) send(now)
        else if (--open === 0) finish()
      })
      const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: received, callback } })
      socket.once('connect', () => send(performance.now()))
      socket.once('error', fail)
      socket.once('end', () => fail(new Error('the server closed a connection')))
      return socket
    }

    // Never sleeps: waking a sleeping reader costs the writer, so a fast server would pay less for its responses than a slow
    // one, and the ratio between them would be wrong.
    function stayAwake(): void {
      if (open > 0) setImmediate(stayAwake)
    }

    for (let i = 0; i < connections; i++) sockets.push(openConnection())
    stayAwake()
  })
}

/** Reads the responses on one connection, of which there is one at a time, and calls `onComplete` after each. */
export function responseReader(status: number, fail: (error: Error) => void, onComplete: () => void) {
  const start = `HTTP/1.1 ${status} `
  let head = ''
  let size = Number.POSITIVE_INFINITY
  let seen = 0

  return (count: number, buffer: Uint8Array): boolean => {
    if (size === Number.POSITIVE_INFINITY) {
      head += (buffer as Buffer).toString('latin1', 0, Math.min(count, LARGEST_HEAD))
      const end = head.indexOf('\r\n\r\n')
      if (end !== -1) {
        if (!head.startsWith(start)) fail(new Error(`${status} was expected, but this came: ${head}`))
        size = end + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
      }
    }
    seen += count
    if (seen < size) return true
    head = ''
    size = Number.POSITIVE_INFINITY
    seen = 0
    onComplete()
    return true
  }
}
