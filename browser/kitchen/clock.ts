/** The server's time, continued by the monotonic clock of the page, because a tablet's wall clock may be wrong or be changed. */
export interface ServerClock {
  /** Now, in UTC milliseconds. */
  now(): number
  /** Sets it to the time that the server has just sent (UTC milliseconds). */
  set(now: number): void
  /** The time of day at the restaurant, such as "20:14" or "20:14:05". */
  timeOf(at: number, withSeconds?: boolean): string
  /** The time of day, with the day unless it is today's: "20:14" or "Mon, 23 Nov, 20:14". */
  momentOf(at: number): string
}

/** Starts at the server's time of the page (UTC milliseconds). Texts are in `zone`; undefined: that of the browser. */
export function serverClock(start: number, zone: string | undefined): ServerClock {
  let ahead = start - performance.now()
  const format = (seconds: object) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', ...seconds })
  const [short, long] = [format({}), format({ second: '2-digit' })]
  const dayOptions = { timeZone: zone, weekday: 'short', day: 'numeric', month: 'short' } as const
  const { lang } = document.documentElement
  const day = new Intl.DateTimeFormat(lang, dayOptions)
  const dayAndTime = new Intl.DateTimeFormat(lang, {
    ...dayOptions,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return {
    now: () => ahead + performance.now(),
    set(now) {
      ahead = now - performance.now()
    },
    momentOf: at => (day.format(at) === day.format(ahead + performance.now()) ? short : dayAndTime).format(at),
    timeOf: (at, withSeconds = false) => (withSeconds ? long : short).format(at),
  }
}
