/** Writes what happens as JSON, one line an event, for the people who run the server. Never tokens or customer data. */
export interface Log {
  info(event: string, fields?: Record<string, unknown>): void
  /** `cause` is written in full: it never leaves the log. */
  error(event: string, cause: unknown, fields?: Record<string, unknown>): void
}

/** A log that hands its lines on together, at the end of the event loop's turn. */
export function jsonLog(write: (lines: string) => void, now: () => number): Log & { flush(): void } {
  let lines = ''

  function flush(): void {
    const ready = lines
    lines = ''
    if (ready !== '') write(ready)
  }

  function add(level: string, event: string, fields: Record<string, unknown>): void {
    if (lines === '') setImmediate(flush)
    lines += `${JSON.stringify({ time: new Date(now()).toISOString(), level, event, ...fields })}\n`
  }

  return {
    flush,
    info: (event, fields = {}) => add('info', event, fields),
    error(event, cause, fields = {}) {
      const told = cause instanceof Error ? { error: cause.message, stack: cause.stack } : { error: String(cause) }
      const code = cause instanceof Error && 'code' in cause ? { code: cause.code } : {}
      add('error', event, { ...fields, ...code, ...told })
    },
  }
}
