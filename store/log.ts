/** The server's log: JSON, one line for each event. Never contains tokens or customer data. */
export interface Log {
  info(event: string, fields?: Record<string, unknown>): void
  /** `cause` is written in full, because it never leaves the log. */
  error(event: string, cause: unknown, fields?: Record<string, unknown>): void
  /**
   * Logs an event that a flood of requests can cause: at once, then at most once a minute, with the `count` since the last line
   * and the fields of the latest event.
   */
  repeated(event: string, fields: Record<string, unknown>): void
}

const REPEAT_MS = 60_000

/** A log that writes its lines together, at the end of each turn of the event loop. `flush` writes all pending lines. */
export function jsonLog(write: (lines: string) => void, now: () => number): Log & { flush(): void } {
  let lines = ''
  /** Repeated events since their last line. */
  const repeating = new Map<string, { count: number; fields: Record<string, unknown> }>()

  function flush(): void {
    const ready = lines
    lines = ''
    if (ready !== '') write(ready)
  }

  function addRepeated(event: string, count: number, fields: Record<string, unknown>): void {
    add('info', event, { count, ...fields })
    const next = { count: 0, fields }
    repeating.set(event, next)
    setTimeout(() => {
      repeating.delete(event)
      if (next.count > 0) addRepeated(event, next.count, next.fields)
    }, REPEAT_MS).unref()
  }

  function add(level: string, event: string, fields: Record<string, unknown>): void {
    if (lines === '') setImmediate(flush)
    lines += `${JSON.stringify({ time: new Date(now()).toISOString(), level, event, ...fields })}\n`
  }

  return {
    flush() {
      for (const [event, { count, fields }] of repeating) if (count > 0) add('info', event, { count, ...fields })
      repeating.clear()
      flush()
    },
    info: (event, fields = {}) => add('info', event, fields),
    error(event, cause, fields = {}) {
      const told = cause instanceof Error ? { error: cause.message, stack: cause.stack } : { error: String(cause) }
      const code = cause instanceof Error && 'code' in cause ? { code: cause.code } : {}
      add('error', event, { ...fields, ...code, ...told })
    },
    repeated(event, fields) {
      const next = repeating.get(event)
      if (next) Object.assign(next, { count: next.count + 1, fields })
      else addRepeated(event, 1, fields)
    },
  }
}
