/** Limits on what one client may use, so that a slow, silent or hostile client does not harm the others. */
export interface Limits {
  /** Seconds in which the head of a request must arrive. */
  headersTimeoutS: number
  /** Seconds in which a whole request must arrive. */
  requestTimeoutS: number
  /** Seconds that a connection may stay idle between two requests. */
  keepAliveS: number
  /** Seconds that a client may go without reading anything of its response. */
  unreadTimeoutS: number
  /** Bytes of a request line and its headers together. */
  headerBytes: number
  requestsPerSocket: number
  sockets: number
  /** Sockets per address, or per IPv6 /64; those of trusted proxies are not counted. */
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

/** Reads the limits by the names of their variables. Returns all problems, each a sentence that names the variable. */
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
