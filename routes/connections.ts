import type { BlockList, Socket } from 'node:net'
import { bucketOf, isTrusted, peerOf } from './address.ts'
import type { Limits } from './limits.ts'
import type { Exchange } from './reply.ts'

/** A socket of a client, and what it has asked for. */
export interface Connection {
  /** The requests that were begun and whose answers have not left yet. */
  exchanges: Set<Exchange>
  /** How many requests were begun in all. */
  requests: number
  /** What its address counts as; undefined for a trusted proxy, behind which everybody may be. */
  bucket: string | undefined
}

/** All open connections of a server. */
export interface Connections extends Iterable<[Socket, Connection]> {
  of(socket: Socket): Connection | undefined
  /**
   * Takes a new socket in. Where there are as many as there may be, in all or of its address, the one that has been open the
   * longest without a request that is being worked on makes room; when there is none, the new one is refused.
   */
  admit(socket: Socket): void
}

/** Keeps the connections within their limits. `onDropped` is called for each that had to go, old or new. */
export function connections(
  { sockets, socketsPerAddress }: Pick<Limits, 'sockets' | 'socketsPerAddress'>,
  trustedProxies: BlockList,
  onDropped: () => void,
): Connections {
  const open = new Map<Socket, Connection>()
  const ofAddress = new Map<string, number>()

  function makeRoom(bucket?: string): boolean {
    const socket = longestIdle(open, bucket)
    if (socket) {
      forget(socket)
      socket.destroy()
      onDropped()
    }
    return socket !== undefined
  }

  function forget(socket: Socket): void {
    const bucket = open.get(socket)?.bucket
    if (!open.delete(socket) || bucket === undefined) return
    const left = (ofAddress.get(bucket) ?? 0) - 1
    if (left > 0) ofAddress.set(bucket, left)
    else ofAddress.delete(bucket)
  }

  return {
    [Symbol.iterator]: () => open[Symbol.iterator](),
    of: socket => open.get(socket),
    admit(socket) {
      const peer = peerOf(socket)
      const bucket = isTrusted(trustedProxies, peer) ? undefined : bucketOf(peer)
      const isCrowded = bucket !== undefined && (ofAddress.get(bucket) ?? 0) >= socketsPerAddress
      const hasRoom = (!isCrowded || makeRoom(bucket)) && (open.size < sockets || makeRoom())
      if (!hasRoom) {
        socket.destroy()
        onDropped()
        return
      }
      open.set(socket, { exchanges: new Set(), requests: 0, bucket })
      if (bucket !== undefined) ofAddress.set(bucket, (ofAddress.get(bucket) ?? 0) + 1)
      socket.once('close', () => forget(socket))
    },
  }
}

/** The oldest connection that keeps nobody waiting; one that never made a request goes before one that did. */
function longestIdle(open: Map<Socket, Connection>, bucket: string | undefined): Socket | undefined {
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
