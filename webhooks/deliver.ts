import type { ClientRequest, IncomingMessage } from 'node:http'
import { Agent, type RequestOptions, request } from 'node:https'
import { type BlockList, isIP } from 'node:net'
import { createSecureContext } from 'node:tls'
import type { Ending } from '../store/outbox/outbox.ts'
import { AddressRefused, checkedLookup, isAllowed, type Lookup, lookupBySystem } from './address.ts'

/** What is sent to an endpoint, byte for byte. */
export interface Delivery {
  url: string
  headers: Record<string, string>
  body: Buffer
}

export interface DelivererOptions {
  /** The networks that may be reached although they are not public (decision F7). */
  allowed: BlockList
  elapsed(): number
  lookup?: Lookup
  /** Trusted instead of the authorities that the platform knows, to which NODE_EXTRA_CA_CERTS adds. */
  authority?: string
  /** How long an attempt may take, from the name look-up to the last byte of the response. */
  deadlineMs?: number
}

// The limits of decision F6.
const DEADLINE_MS = 5000
const READ_BYTES = 16 * 1024
const KEPT_BYTES = 1024

// The most interim responses (1xx) that a peer may send before its response.
const MOST_INTERIM = 8

/** Makes one attempt and returns how it ended, at the latest at its deadline. Never throws. */
export type Deliver = (delivery: Delivery) => Promise<Ending>

/**
 * Makes deliveries over HTTPS (decision F6): no redirect is followed; no socket is used twice, but TLS sessions are
 * resumed; the certificate is verified; connections go to allowed addresses only.
 */
export function deliverer(options: DelivererOptions): Deliver {
  const { allowed, elapsed, lookup = lookupBySystem, authority, deadlineMs = DEADLINE_MS } = options
  const agent = new Agent({
    keepAlive: false,
    maxCachedSessions: 100,
    // Made once: a context for each connection costs as much as the handshake.
    secureContext: createSecureContext(authority ? { ca: authority } : {}),
    // One slow address of several must not use up the whole deadline, but a distant one needs more than a quarter of a second.
    autoSelectFamilyAttemptTimeout: deadlineMs / 5,
  })
  const shared: RequestOptions = {
    method: 'POST',
    agent,
    lookup: checkedLookup(lookup, allowed),
    maxHeaderSize: READ_BYTES,
  }

  return function deliver({ url, headers, body }) {
    return new Promise(resolve => {
      const began = elapsed()
      const chunks: Buffer[] = []
      let read = 0
      let interim = 0
      let outgoing: ClientRequest | undefined
      let response: IncomingMessage | undefined
      let isSettled = false

      function finish(reason: string | null): void {
        if (isSettled) return
        isSettled = true
        clearTimeout(deadline)
        const status = response?.statusCode ?? null
        resolve({
          received: reason === null && status !== null && status >= 200 && status <= 299,
          status,
          reason,
          tookMs: Math.round(elapsed() - began),
          response: Buffer.concat(chunks).subarray(0, KEPT_BYTES),
          headers: response?.rawHeaders ?? [],
        })
        // After a complete response the agent closes the connection properly.
        if (!response?.complete) outgoing?.destroy()
      }

      const deadline = setTimeout(() => {
        finish(`it did not end within ${deadlineMs / 1000} seconds`)
      }, deadlineMs)

      const { hostname, port, pathname, search } = new URL(url)
      const host = hostname.replace(/^\[|\]$/g, '')
      // Sockets look up names, but not literal addresses.
      if (isIP(host) !== 0 && !isAllowed(host, allowed)) {
        finish(new AddressRefused([host]).message)
        return
      }
      outgoing = request({
        ...shared,
        rejectUnauthorized: true,
        host,
        port: port || 443,
        path: `${pathname}${search}`,
        headers,
      })
      outgoing.on('error', error => finish(explain(error)))
      outgoing.on('close', () => finish(CUT_OFF))
      outgoing.on('information', () => {
        if (++interim > MOST_INTERIM) finish('too many interim answers')
      })
      // 101 switches to another protocol and hands the socket over, so that it has to be closed here.
      outgoing.on('upgrade', (upgraded, socket) => {
        response = upgraded
        socket.on('error', () => {})
        socket.destroy()
        finish(null)
      })
      outgoing.on('response', incoming => {
        response = incoming
        incoming.on('error', () => finish(CUT_OFF))
        incoming.on('data', (chunk: Buffer) => {
          if (read < KEPT_BYTES) chunks.push(chunk)
          read += chunk.length
          if (read > READ_BYTES) finish(null)
        })
        incoming.on('end', () => finish(null))
      })
      outgoing.end(body)
    })
  }
}

const CUT_OFF = 'the connection was closed before the end of the answer'

const reasons: Record<string, string> = {
  ENOTFOUND: 'the name was not found',
  EAI_AGAIN: 'the name could not be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed while sending',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the connection timed out',
  EPROTO: 'TLS failed',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is from an authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is from an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate is from an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is from an authority that is not trusted',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
  HPE_HEADER_OVERFLOW: 'the headers of the answer are too large',
}

/** A network error as the log shows it. Never contains text of the peer. */
function explain(error: Error & { code?: unknown; errors?: unknown }): string {
  if (error instanceof AddressRefused) return error.message
  // If several addresses were tried, the failure of the last one is shown.
  if (error instanceof AggregateError) return explain(error.errors.at(-1) as Error)
  if (error.message === 'socket hang up') return 'the connection was closed without an answer'
  if (/wrong.version.number/i.test(error.message)) return 'the endpoint does not speak TLS'
  const code = typeof error.code === 'string' ? error.code : ''
  if (Object.hasOwn(reasons, code)) return `${reasons[code]}`
  if (code.startsWith('HPE_')) return `the answer is not HTTP (${code})`
  return code === '' ? 'the connection failed' : `the connection failed (${code})`
}
