// A small receiver of webhooks: it prints what it accepts, and why it refuses the rest. Run it with
//   npm run receiver
// and it says how to point Servery at it. WEBHOOK_SECRET is the signing secret; PORT and CERTIFICATE_FOLDER are optional.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The headers of a delivery, by their names in lower case, as node:http gives them. */
export type DeliveryHeaders = Record<string, string | string[] | undefined>

/** Deliveries whose timestamp is further from now than this many seconds are refused: they may be replayed. */
const TOLERANCE_S = 300

// Enough to know a delivery again that comes twice, and bounded.
const REMEMBERED = 10_000

/**
 * Why a delivery is refused, or null when it is genuine. It looks at the bytes as they were received and parses nothing.
 * `nowS` is the time in Unix seconds. Either scheme is enough; this one wants `webhook-signature` when it is there,
 * because the legacy scheme can't tell a replay from a fresh delivery.
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
  return isSame(Buffer.from(given, 'hex'), expected) ? null : 'X-Restaurant-Signature is wrong'
}

function isSame(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected)
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Answers the certificate in a folder, and makes one for this machine when there is none. */
async function certificateIn(folder: string): Promise<{ key: string; cert: string; certFile: string }> {
  const keyFile = join(folder, 'key.pem')
  const certFile = join(folder, 'cert.pem')
  if (!existsSync(keyFile) || !existsSync(certFile)) {
    const { generate } = await import('selfsigned')
    const made = await generate([{ name: 'commonName', value: 'localhost' }], {
      keyType: 'ec',
      algorithm: 'sha256',
      extensions: [
        { name: 'basicConstraints', cA: true, critical: true },
        {
          name: 'subjectAltName',
          altNames: [
            { type: 2, value: 'localhost' },
            { type: 7, ip: '127.0.0.1' },
            { type: 7, ip: '::1' },
          ],
        },
      ],
    })
    mkdirSync(folder, { recursive: true })
    writeFileSync(keyFile, made.private, { mode: 0o600 })
    writeFileSync(certFile, made.cert)
  }
  return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8'), certFile }
}

async function main(): Promise<void> {
  const secret = process.env.WEBHOOK_SECRET ?? ''
  const port = Number(process.env.PORT ?? 9443)
  const { key, cert, certFile } = await certificateIn(process.env.CERTIFICATE_FOLDER ?? 'data/receiver')
  const seen = new Set<string>()

  const server = createServer({ key, cert }, async (request, response) => {
    const answer = (status: number, line: string) => {
      console.log(line)
      response.writeHead(status).end()
    }
    const body = await bytesOf(request)
    const id = String(request.headers['webhook-id'] ?? 'without id')
    const flaw = secret === '' ? null : flawOf(request.headers, body, secret, Math.floor(Date.now() / 1000))
    if (flaw !== null) return answer(401, `refused   ${id}: ${flaw}`)
    // One event may reach you twice, through two endpoints that end here. A real receiver remembers in its database.
    if (seen.has(id)) return answer(204, `repeated  ${id}: ignored`)
    seen.add(id)
    for (const oldest of seen) {
      if (seen.size <= REMEMBERED) break
      seen.delete(oldest)
    }
    // Only now is it safe to parse.
    let event: { type?: unknown; data?: unknown }
    try {
      event = JSON.parse(body.toString('utf8'))
    } catch {
      return answer(400, `refused   ${id}: it is not JSON`)
    }
    const trust = secret === '' ? 'NOT VERIFIED' : 'verified'
    answer(204, `accepted  ${id}: ${String(event.type)} ${JSON.stringify(event.data)} (${trust})`)
  })
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

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
