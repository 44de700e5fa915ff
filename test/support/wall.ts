import { connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** A TCP proxy in front of a server that can fail in the ways of networks and proxies. */
export interface Wall {
  port: number
  /** `open`: passes everything. `silent`: accepts connections and bytes, and passes nothing on. `502`: replies with the error page of a proxy. */
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
    // A silent network does not close connections, either.
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
      // Connections that were silent have lost bytes, so they are closed.
      for (const socket of sockets) socket.destroy()
    },
  }
}
