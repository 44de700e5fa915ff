import type { Socket } from 'node:net'

// When a socket is closed with unread data in it, the system discards what was sent on it, so a client that had sent too
// much would never see its response. These are the limits for reading and discarding that data.
const LINGER_BYTES = 16 * 1024 * 1024
const LINGER_MS = 3000

/** Ends a connection after all that was written to it; what the client still sends is read and discarded, within limits. */
export function endGently(socket: Socket): void {
  if (socket.writableEnded) return
  socket.end()
  // Data that arrives now must not become a request.
  socket.removeAllListeners('data')
  let left = LINGER_BYTES
  socket.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) socket.destroy()
  })
  socket.resume()
  // It may have been paused in the middle of a read.
  socket.push('')
  socket.once('finish', () => {
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(timer))
  })
}
