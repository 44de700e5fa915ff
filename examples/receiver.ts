// A small receiver of webhooks: it prints what it accepts, and why it refuses the rest. Run it with
//   npm run receiver
// and it prints how to add it to Servery. WEBHOOK_SECRET is the signing secret; PORT and CERTIFICATE_FOLDER are optional.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { selfSigned } from './certificate.ts'

/** The headers of a delivery, by lower-case name, as node:http provides them. */
export type DeliveryHeaders = Record<string, string | string[] | undefined>

/** Deliveries whose timestamp differs from now by more than this many seconds are refused as possible replays. */
const TOLERANCE_S = 300

// Enough to recognise a repeated delivery, and bounded.
const REMEMBERED = 10_000

// In bytes. Deliveries are far smaller.
const MOST_BYTES = 64 * 1024

/**
 * Returns why a delivery is refused, or null when it is genuine. Verifies the bytes as they were received, before it parses
 * them. `nowS` is the time in Unix seconds. Either scheme is enough; `webhook-signature` is preferred when it is present,
 * because it signs the headers too.
 */
export function flawOf(headers: DeliveryHeaders, body: Buffer, secret: string, nowS: number): string | null {
  const id = String(headers['webhook-id'] ?? '')
  const timestamp = String(headers['webhook-timestamp'] ?? '')
  if (id === '' || !/^\d+$/.test(timestamp)) return 'webhook-id or webhook-timestamp is missing'
  if (Math.abs(nowS - Number(timestamp)) > TOLERANCE_S) return `its timestamp is more than ${TOLERANCE_S} seconds off`

  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret, 'utf8')
  const signatures = headers['webhook-signature']
  if (signatures !== undefined) {
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
    const given = String(signatures).split(' ')
    const matches = given.some(each => each.startsWith('v1,') && isSame(Buffer.from(each.slice(3), 'base64'), expected))
    return matches ? null : 'no signature in webhook-signature is right'
  }
  const legacy = headers['x-restaurant-signature']
  if (legacy === undefined) return 'it is not signed'
  const expected = createHmac('sha256', key).update(body).digest()
  const given = /^sha256=([0-9a-f]{64})$/.exec(String(legacy))?.[1] ?? ''
  if (!isSame(Buffer.from(given, 'hex'), expected)) return 'X-Restaurant-Signature is wrong'
  // The legacy header signs only the body. An attacker who has captured a delivery could replay it with another webhook-id and
  // a fresh webhook-timestamp, so the id and the time in the signed body are used instead.
  const event = eventIn(body)
  if (event?.id !== id) return 'its webhook-id is not the id in its signed body'
  const sentS = typeof event.timestamp === 'string' ? Date.parse(event.timestamp) / 1000 : Number.NaN
  if (!(Math.abs(nowS - sentS) <= TOLERANCE_S)) return `its signed body is more than ${TOLERANCE_S} seconds off`
  return null
}

/** The event in a body, or null when it is not a JSON object in UTF-8. */
function eventIn(body: Buffer): Record<string, unknown> | null {
  try {
    const event: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body))
    return typeof event === 'object' && !Array.isArray(event) ? (event as Record<string, unknown> | null) : null
  } catch {
    return null
  }
}

function isSame(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** The body of a request, or null when it is too long. Rejects when the connection ends before the body does. */
function bytesOf(request: IncomingMessage): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > MOST_BYTES) resolve(null)
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', reject)
    request.on('close', () => reject(new Error('the connection was closed')))
  })
}

/** A received value made safe for a terminal: a plain word unchanged, everything else as JSON without control characters. */
function shown(value: unknown): string {
  if (typeof value === 'string' && /^[\w.-]+$/.test(value)) return value
  return `${JSON.stringify(value)}`.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    character => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
}

/** Receives deliveries and prints a line about each. With an empty secret nothing is verified. */
export function receiving(secret: string, print: (line: string) => void): RequestListener {
  const seen = new Set<string>()

  return async (request, response) => {
    const answer = (status: number, line: string, headers: Record<string, string> = {}) => {
      print(line)
      response.writeHead(status, headers).end()
    }
    const id = String(request.headers['webhook-id'] ?? '')
    const name = id === '' ? 'without id' : shown(id)
    let body: Buffer | null
    try {
      body = await bytesOf(request)
    } catch {
      return print(`cut off   ${name}: the connection ended before the body`)
    }
    if (body === null) {
      return answer(413, `refused   ${name}: it is longer than ${MOST_BYTES} bytes`, { Connection: 'close' })
    }
    const flaw = secret === '' ? null : flawOf(request.headers, body, secret, Math.floor(Date.now() / 1000))
    if (flaw !== null) return answer(401, `refused   ${name}: ${flaw}`)
    const event = eventIn(body)
    if (event === null) return answer(400, `refused   ${name}: it is no JSON object in UTF-8`)
    // An event can arrive twice, through two endpoints with this URL. A real receiver remembers ids in its database.
    if (seen.has(id)) return answer(204, `repeated  ${name}: ignored`)
    seen.add(id)
    for (const oldest of seen) {
      if (seen.size <= REMEMBERED) break
      seen.delete(oldest)
    }
    const trust = secret === '' ? 'NOT VERIFIED' : 'verified'
    answer(204, `accepted  ${name}: ${shown(event.type)} ${shown(event.data)} (${trust})`)
  }
}

/** The certificate in a folder; creates one for this machine if there is none. */
function certificateIn(folder: string): { key: string; cert: string; certFile: string } {
  const keyFile = join(folder, 'key.pem')
  const certFile = join(folder, 'cert.pem')
  if (!existsSync(keyFile) || !existsSync(certFile)) {
    const made = selfSigned(Date.now())
    mkdirSync(folder, { recursive: true })
    writeFileSync(keyFile, made.key, { mode: 0o600 })
    writeFileSync(certFile, made.cert)
  }
  return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8'), certFile }
}

function main(): void {
  const secret = process.env.WEBHOOK_SECRET ?? ''
  const port = Number(process.env.PORT ?? 9443)
  const { key, cert, certFile } = certificateIn(process.env.CERTIFICATE_FOLDER ?? 'data/receiver')
  const server = createServer({ key, cert }, receiving(secret, console.log))
  server.listen(port, '127.0.0.1', () => {
    const url = `https://127.0.0.1:${port}/webhooks`
    console.log(`Receiving at ${url}, ${secret === '' ? 'WITHOUT a secret: nothing is verified' : 'verifying'}.

Start Servery so that it trusts this certificate and may call this machine:
  NODE_EXTRA_CA_CERTS=${resolve(certFile)} WEBHOOK_ALLOW_NETWORKS=127.0.0.1 npm start
Then tell it of this receiver:
  npm run -s servery -- webhooks add ${url}

Stop with Ctrl-C.`)
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
