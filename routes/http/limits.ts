/** What one client may take of the server, so that no client, slow, mute or hostile, takes it from the others. */
export interface Limits {
  /** Seconds for the head of a request to come in. */
  headersTimeoutS: number
  /** Seconds for a whole request to come in. */
  requestTimeoutS: number
  /** Seconds that a connection may stay idle between two requests. */
  keepAliveS: number
  /** Seconds that a client may go without taking anything of the answer that waits for it. */
  unreadTimeoutS: number
  /** Bytes of a request line and its headers together. */
  headerBytes: number
  requestsPerSocket: number
  sockets: number
  /** Sockets of one address, or one IPv6 /64; those of trusted proxies are not counted. */
  socketsPerAddress: number
}

interface Definition {
  variable: string
  fallback: number
  least: number
  most: number
}

const definitions: Record<keyof Limits, Definition> = {
  headersTimeoutS: { variable: 'HEADERS_TIMEOUT_S', fallback: 10, least: 1, most: 600 },
  requestTimeoutS: { variable: 'REQUEST_TIMEOUT_S', fallback: 15, least: 1, most: 600 },
  keepAliveS: { variable: 'KEEP_ALIVE_S', fallback: 5, least: 1, most: 600 },
  unreadTimeoutS: { variable: 'UNREAD_TIMEOUT_S', fallback: 30, least: 1, most: 600 },
  headerBytes: { variable: 'HEADER_BYTES', fallback: 8192, least: 1024, most: 65_536 },
  requestsPerSocket: { variable: 'REQUESTS_PER_SOCKET', fallback: 1000, least: 1, most: 1_000_000_000 },
  sockets: { variable: 'SOCKETS', fallback: 1024, least: 16, most: 65_536 },
  socketsPerAddress: { variable: 'SOCKETS_PER_ADDRESS', fallback: 512, least: 8, most: 65_536 },
}

const names = Object.keys(definitions) as (keyof Limits)[]

/** Reads the limits by the names of their variables. Answers every problem, each a sentence that names the variable. */
export function readLimits(variable: (name: string, fallback: string) => string): {
  limits: Limits
  problems: string[]
} {
  const problems: string[] = []
  const limits = Object.fromEntries(
    names.map(name => {
      const { variable: known, fallback, least, most } = definitions[name]
      const value = variable(known, String(fallback))
      const isWithin = /^\d{1,10}$/.test(value) && Number(value) >= least && Number(value) <= most
      if (!isWithin) problems.push(`${known} must be a whole number from ${least} to ${most}, not "${value}".`)
      return [name, Number(value)]
    }),
  ) as Record<keyof Limits, number>
  if (limits.headersTimeoutS > limits.requestTimeoutS) {
    problems.push('HEADERS_TIMEOUT_S must not be more than REQUEST_TIMEOUT_S, which counts the head, too.')
  }
  return { limits, problems }
}
