import type { Socket } from 'node:net'

// The system throws away what was sent on a socket that is closed with unread data in it, so a client that had sent more
// than was wanted would never see its answer. These are the bounds of the patience with such clients.
const LINGER_BYTES = 16 * 1024 * 1024
const LINGER_MS = 3000

/** Ends a connection after all that was written to it; what the client still sends is taken off it and thrown away, within bounds. */
export function endGently(socket: Socket): void {
  if (socket.writableEnded) return
  socket.end()
  // Whatever comes now is not to become a request.
  socket.removeAllListeners('data')
  let left = LINGER_BYTES
  socket.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) socket.destroy()
  })
  socket.resume()
  // It may have been paused in the middle of a read that the parser then answered.
  socket.push('')
  socket.once('finish', () => {
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(timer))
  })
}
