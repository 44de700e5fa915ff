import type { BlockList, Socket } from 'node:net'
import { bucketOf, isTrusted, peerOf } from './address.ts'
import type { Limits } from './limits.ts'
import type { Exchange } from './reply.ts'

/** A client's socket and its requests. */
export interface Connection {
  /** The requests that were started and whose responses have not been sent yet. */
  exchanges: Set<Exchange>
  /** The number of requests started so far. */
  requests: number
  /** The bucket of its address. */
  bucket: string
}

/** All open connections of a server. */
export interface Connections extends Iterable<[Socket, Connection]> {
  of(socket: Socket): Connection | undefined
  /**
   * Accepts a new socket. At the limit of its address, the socket of that address that has been open the longest without a
   * request in progress is closed to make room; at the total limit, one of the address that has the most. If there is none,
   * the new socket is refused.
   */
  admit(socket: Socket): void
  /**
   * Notes that a request of a connection has started, and that its response has been sent or never will be. While too many
   * requests are waiting for responses, a connection that starts more than a few is closed.
   */
  begin(connection: Connection, exchange: Exchange): void
  end(connection: Connection, exchange: Exchange): void
}

// Requests that wait for their responses, on average over the maximum number of connections. Each takes some kilobytes.
const MOST_UNANSWERED = 4

/** Keeps the connections within their limits. `onDropped` is called for each that is closed or refused. */
export function connections(
  { sockets, socketsPerAddress }: Pick<Limits, 'sockets' | 'socketsPerAddress'>,
  trustedProxies: BlockList,
  onDropped: () => void,
): Connections {
  const open = new Map<Socket, Connection>()
  const ofAddress = new Map<string, number>()
  let unanswered = 0

  function makeRoom(socket: Socket | undefined): boolean {
    if (socket) drop(socket)
    return socket !== undefined
  }

  function drop(socket: Socket): void {
    forget(socket)
    socket.destroy()
    onDropped()
  }

  function forget(socket: Socket): void {
    const connection = open.get(socket)
    if (!connection) return
    open.delete(socket)
    unanswered -= connection.exchanges.size
    connection.exchanges.clear()
    const left = (ofAddress.get(connection.bucket) ?? 0) - 1
    if (left > 0) ofAddress.set(connection.bucket, left)
    else ofAddress.delete(connection.bucket)
  }

  /** The address with the most sockets. */
  function mostCrowded(): string | undefined {
    let most = 0
    let crowded: string | undefined
    for (const [bucket, count] of ofAddress) {
      if (count <= most) continue
      most = count
      crowded = bucket
    }
    return crowded
  }

  return {
    [Symbol.iterator]: () => open[Symbol.iterator](),
    of: socket => open.get(socket),
    admit(socket) {
      const peer = peerOf(socket)
      const bucket = bucketOf(peer)
      // All clients may be behind a trusted proxy.
      const isCrowded = !isTrusted(trustedProxies, peer) && (ofAddress.get(bucket) ?? 0) >= socketsPerAddress
      const hasRoom =
        (!isCrowded || makeRoom(longestIdle(open, bucket))) &&
        (open.size < sockets || makeRoom(longestIdle(open, mostCrowded()) ?? longestIdle(open)))
      if (!hasRoom) {
        socket.destroy()
        onDropped()
        return
      }
      open.set(socket, { exchanges: new Set(), requests: 0, bucket })
      ofAddress.set(bucket, (ofAddress.get(bucket) ?? 0) + 1)
      socket.once('close', () => forget(socket))
    },
    begin(connection, exchange) {
      connection.requests++
      connection.exchanges.add(exchange)
      unanswered++
      if (unanswered > MOST_UNANSWERED * sockets && connection.exchanges.size > MOST_UNANSWERED) {
        drop(exchange.request.socket)
      }
    },
    end(connection, exchange) {
      if (connection.exchanges.delete(exchange)) unanswered--
    },
  }
}

/** The oldest connection without a request in progress; first one that has never made a request. */
function longestIdle(open: Map<Socket, Connection>, bucket?: string): Socket | undefined {
  let idle: Socket | undefined
  for (const [socket, connection] of open) {
    if ((bucket !== undefined && connection.bucket !== bucket) || isServed(connection)) continue
    if (connection.requests === 0) return socket
    idle ??= socket
  }
  return idle
}

function isServed({ exchanges }: Connection): boolean {
  for (const { request, response } of exchanges) if (request.complete && !response.headersSent) return true
  return false
}
