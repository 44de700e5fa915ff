import { connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** A TCP proxy before a server that can fail as networks and proxies do. */
export interface Wall {
  port: number
  /** `open`: passes everything. `silent`: takes connections and bytes, and passes nothing. `502`: the error page of a proxy. */
  become(state: 'open' | 'silent' | '502'): void
}

export async function wallBefore(t: TestContext, port: number): Promise<Wall> {
  let state: 'open' | 'silent' | '502' = 'open'
  const sockets = new Set<Socket>()
  const page = '<h1>502 Bad Gateway</h1>'
  const badGateway = `HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: ${page.length}\r\n\r\n${page}`

  const server = createServer(client => {
    keep(client)
    if (state !== 'open') {
      client.on('data', () => state === '502' && client.write(badGateway))
      return
    }
    const upstream = connect(port, '127.0.0.1')
    keep(upstream)
    client.on('data', bytes => state === 'open' && upstream.write(bytes))
    upstream.on('data', bytes => state === 'open' && client.write(bytes))
    // What becomes silent does not close, either.
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => state === 'open' && client.destroy())
  })

  function keep(socket: Socket): void {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    become(next) {
      state = next
      if (next === 'silent') return
      // Nothing that was silent comes back to life: its bytes are lost.
      for (const socket of sockets) socket.destroy()
    },
  }
}
