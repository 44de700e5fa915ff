// Webhook receivers: real TLS on loopback, with certificates made here.

import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { generate } from 'selfsigned'
import { until } from './until.ts'

export interface Certificate {
  key: string
  cert: string
}

const DAY = 86_400_000

/** The tests' certificate authority. */
export const authority: Certificate = await make({ ca: true })

/** A good certificate of that authority for this machine. */
export const goodCertificate: Certificate = await certificate()

/** A certificate of the tests' authority, by default a good one for localhost, 127.0.0.1 and ::1. */
export async function certificate(
  options: { names?: string[]; addresses?: string[]; expired?: boolean; selfSigned?: boolean } = {},
): Promise<Certificate> {
  return make(options)
}

async function make({
  names = ['localhost'],
  addresses = ['127.0.0.1', '::1'],
  expired = false,
  selfSigned = false,
  ca = false,
}: {
  names?: string[]
  addresses?: string[]
  expired?: boolean
  selfSigned?: boolean
  ca?: boolean
}): Promise<Certificate> {
  const now = Date.now()
  const made = await generate([{ name: 'commonName', value: ca ? 'Test authority' : (names[0] ?? 'none') }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - 10 * DAY),
    notAfterDate: new Date(expired ? now - DAY : now + 10 * DAY),
    extensions: [
      { name: 'basicConstraints', cA: ca, critical: true },
      ...(ca
        ? []
        : [
            {
              name: 'subjectAltName' as const,
              altNames: [
                ...names.map(value => ({ type: 2 as const, value })),
                ...addresses.map(ip => ({ type: 7 as const, ip })),
              ],
            },
          ]),
    ],
    ...(ca || selfSigned ? {} : { ca: { key: authority.key, cert: authority.cert } }),
  })
  return { key: made.private, cert: made.cert }
}

/** A delivery as it came in. */
export interface Got {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** Names in their original spelling. */
  rawHeaders: string[]
  body: Buffer
}

export interface Receiver {
  /** At 127.0.0.1, with the path /hook. */
  url: string
  port: number
  got: Got[]
  /** TLS connections that were opened, with or without a request. */
  connections(): number
  /** Connections that are open now. */
  open(): number
  /** Resolves once so many deliveries have come in; rejects after 10 seconds. */
  arrival(count: number): Promise<void>
  close(): Promise<void>
}

export type Respond = (got: Got, response: ServerResponse, request: IncomingMessage) => void

/** A receiver that records deliveries and responds with 204, or as given. */
export async function receiver(
  t: TestContext,
  respond: Respond = (_, response) => void response.writeHead(204).end(),
  options: TlsOptions & { host?: string; port?: number } = {},
): Promise<Receiver> {
  const { host = '127.0.0.1', port = 0, ...tls } = options
  const got: Got[] = []
  const server = createHttpsServer({ ...goodCertificate, ...tls }, async (request, response) => {
    const chunks: Buffer[] = []
    request.on('error', () => {})
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      return
    }
    const { method = '', url = '', headers, rawHeaders } = request
    const one = { method, path: url, headers, rawHeaders, body: Buffer.concat(chunks) }
    got.push(one)
    respond(one, response, request)
  })
  return listening(t, server, got, host, port)
}

/** A TLS server that writes arbitrary bytes once a whole request has come in; `tcp` is the socket below the TLS socket. */
export async function rawReceiver(
  t: TestContext,
  respond: (socket: Socket, tcp: Socket) => void,
  options: TlsOptions = {},
): Promise<Receiver> {
  const got: Got[] = []
  const carriers = new Map<number | undefined, Socket>()
  const server = createTlsServer({ ...goodCertificate, ...options }, socket => {
    let head = ''
    socket.on('error', () => {})
    socket.on('data', chunk => {
      const before = head.includes('\r\n\r\n')
      head += chunk.toString('latin1')
      if (before || !head.includes('\r\n\r\n')) return
      got.push({ method: 'POST', path: '', headers: {}, rawHeaders: [], body: Buffer.alloc(0) })
      respond(socket, carriers.get(socket.remotePort) as Socket)
    })
  })
  server.on('connection', (tcp: Socket) => void carriers.set(tcp.remotePort, tcp))
  return listening(t, server, got, '127.0.0.1', 0)
}

async function listening(t: TestContext, server: Server, got: Got[], host: string, port: number): Promise<Receiver> {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('tlsClientError', () => {})
  server.listen(port, host)
  await once(server, 'listening')
  async function close(): Promise<void> {
    if (!server.listening) return
    const closed = new Promise(resolve => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  t.after(close)
  const bound = (server.address() as AddressInfo).port
  return {
    url: `https://127.0.0.1:${bound}/hook`,
    port: bound,
    got,
    connections: () => connections,
    open: () => sockets.size,
    arrival: count => until(() => got.length >= count, `only ${got.length} of ${count} deliveries arrived`),
    close,
  }
}
