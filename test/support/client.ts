import { Agent, request } from 'node:http'
import { api } from './wire.ts'

/** The response, or undefined when the connection broke and the result of the request is unknown. */
export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  body: any
  headers: Record<string, string | string[] | undefined>
}

export interface Client {
  call(method: string, path: string, body?: unknown): Promise<Answer | undefined>
  close(): void
}

/** A client of the API that keeps at most so many connections. `path` is below …/v1/restaurant. */
export function client({ port, token, connections }: { port: number; token: string; connections: number }): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    call(method, path, body) {
      return new Promise(resolve => {
        const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
        const options = { agent, port, host: '127.0.0.1', method, path: `${api}${path}`, headers }
        const sent = request(options, response => {
          const chunks: Buffer[] = []
          response.on('data', chunk => chunks.push(chunk))
          response.on('error', () => resolve(undefined))
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString()
            const parsed = text === '' ? undefined : JSON.parse(text)
            resolve({ status: response.statusCode ?? 0, body: parsed, headers: response.headers })
          })
        })
        sent.on('error', () => resolve(undefined))
        sent.end(body === undefined ? undefined : JSON.stringify(body))
      })
    },
    close: () => agent.destroy(),
  }
}
