import { connect, type Socket } from 'node:net'
import { received, responseReader } from './load.ts'

/** A stream of requests at fixed times, independent of the responses to earlier ones (open loop). */
export interface Stream {
  port: number
  /** The bytes of the request with this number; the first one is 0. */
  request(number: number): Buffer
  /** The status that every response must have. */
  status: number
  /** Requests a second. */
  rate: number
  seconds: number
  /** Whether a request uses an idle connection or always a new one; then it must contain `Connection: close`. */
  connections: 'kept' | 'new'
}

export interface Arrived {
  /** Milliseconds from the planned time of the request to the end of its response, ascending. */
  latencies: Float64Array
  /** When each response was complete, by `process.hrtime`; undefined if none came. */
  answeredAt: (bigint | undefined)[]
  /** The errors and their counts. */
  failures: Map<string, number>
}

const KEPT = 8

// A request without a response by then counts as failed.
const PATIENCE_MS = 30_000

/** Sends a stream of requests, and resolves when each has a response or has failed. */
export function arrivals({ port, request, status, rate, seconds, connections }: Stream): Promise<Arrived> {
  return new Promise(resolve => {
    const total = rate * seconds
    const latencies: number[] = []
    const answeredAt: (bigint | undefined)[] = Array.from({ length: total })
    const failures = new Map<string, number>()
    const idle: Connection[] = []
    const all = new Set<Connection>()
    const start = performance.now() + 1000 / rate
    let sent = 0
    let ended = 0

    interface Connection {
      socket: Socket
      /** The request that it carries. */
      carries?: number
    }

    function open(): Connection {
      const callback = responseReader(
        status,
        error => fail(connection, error.message.split('\r\n', 1).join()),
        () => {
          const number = connection.carries
          if (number === undefined) return
          delete connection.carries
          answeredAt[number] = process.hrtime.bigint()
          latencies.push(performance.now() - dueAt(number))
          if (connections === 'kept') idle.push(connection)
          end()
        },
      )
      const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: received, callback } })
      const connection: Connection = { socket }
      all.add(connection)
      socket.once('error', error => fail(connection, error.message))
      socket.once('close', () => fail(connection, 'the connection was closed without a response'))
      return connection
    }

    function fail(connection: Connection, what: string): void {
      connection.socket.destroy()
      all.delete(connection)
      if (idle.includes(connection)) idle.splice(idle.indexOf(connection), 1)
      if (connection.carries === undefined) return
      delete connection.carries
      failures.set(what, (failures.get(what) ?? 0) + 1)
      end()
    }

    function end(): void {
      if (++ended < total) return
      clearTimeout(patience)
      for (const { socket } of all) socket.destroy()
      resolve({ latencies: Float64Array.from(latencies).sort(), answeredAt, failures })
    }

    const dueAt = (number: number) => start + (number * 1000) / rate

    function sendDue(): void {
      while (sent < total && dueAt(sent) <= performance.now()) {
        const connection = idle.pop() ?? open()
        connection.carries = sent
        connection.socket.write(request(sent++))
      }
      if (sent < total) setTimeout(sendDue, Math.max(0, dueAt(sent) - performance.now()))
    }

    const patience = setTimeout(
      () => {
        for (const connection of all) fail(connection, 'no response')
      },
      seconds * 1000 + PATIENCE_MS,
    )
    if (connections === 'kept') for (let i = 0; i < KEPT; i++) idle.push(open())
    sendDue()
  })
}
