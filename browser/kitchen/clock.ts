/** The server's time, carried on by the clock of the page: that of a tablet may be wrong, or be set while the page is open. */
export interface ServerClock {
  /** Now, in UTC milliseconds. */
  now(): number
  /** Takes over what the server has just said. */
  set(now: number): void
  /** The time of day at the restaurant, such as "20:14" or "20:14:05". */
  timeOf(at: number, withSeconds?: boolean): string
}

export function serverClock(start: number, zone: string | undefined): ServerClock {
  let ahead = start - performance.now()
  const format = (seconds: object) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', ...seconds })
  const [short, long] = [format({}), format({ second: '2-digit' })]
  return {
    now: () => ahead + performance.now(),
    set(now) {
      ahead = now - performance.now()
    },
    timeOf: (at, withSeconds = false) => (withSeconds ? long : short).format(at),
  }
}
