// The webhook receivers, in their own process: one that accepts everything, one that always fails, and one that hangs now and
// then, and always while it is told to.

import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { flawOf } from '../../examples/receiver.ts'
import type { Certificate } from '../../test/support/receivers.ts'

export type Request = { ask: 'open'; certificate: Certificate; secret: string } | { ask: 'hang' | 'answer' | 'count' }

/** The deliveries to one endpoint. */
export interface Arrived {
  name: string
  /** Different events. */
  events: number
  /** Events that came more than once. */
  repeated: number
  /** Deliveries with a wrong signature. */
  forged: number
  /** The order of each `order.placed` that came. */
  placed: number[]
}

// One delivery in so many hangs even while the endpoint is healthy.
const HANGS_ONE_OF = 100

const endpoints: { arrived: () => Arrived; server: Server }[] = []
let isHanging = false

process.once('disconnect', () => process.exit())
process.on('message', async (request: Request) => {
  if (request.ask === 'open') process.send?.(await open(request.certificate, request.secret))
  else if (request.ask === 'count') process.send?.(endpoints.map(({ arrived }) => arrived()))
  else isHanging = request.ask === 'hang'
})

async function open(certificate: Certificate, secret: string): Promise<string[]> {
  const urls: string[] = []
  for (const name of ['good', 'failing', 'hanging'] as const) {
    const seen = new Map<string, number>()
    const placed: number[] = []
    let repeated = 0
    let forged = 0
    const server = createServer(certificate, async (incoming, response) => {
      const chunks: Buffer[] = []
      try {
        for await (const chunk of incoming) chunks.push(chunk)
      } catch {
        // A delivery that was cut off does not count.
        return
      }
      const body = Buffer.concat(chunks)
      if (flawOf(incoming.headers, body, secret, Math.floor(Date.now() / 1000)) !== null) forged++
      const { id, type, data } = JSON.parse(body.toString())
      const times = (seen.get(id) ?? 0) + 1
      seen.set(id, times)
      if (times === 2) repeated++
      if (type === 'order.placed') placed.push(data.id)
      if (name === 'hanging' && (isHanging || seen.size % HANGS_ONE_OF === 0)) return
      response.writeHead(name === 'failing' ? 500 : 204).end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    urls.push(`https://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`)
    endpoints.push({ arrived: () => ({ name, events: seen.size, repeated, forged, placed }), server })
  }
  return urls
}
