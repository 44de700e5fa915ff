import { type Alarm, alarmText } from '../../display/alarm.ts'
import { formats } from '../../display/formats.ts'
import type { Log } from '../../store/log.ts'

/** Finds the current alarms of one kind, such as those of stations or of printers. */
export type Lookout = () => Alarm[]

export interface AlarmsOptions {
  lookouts: Lookout[]
  log: Log
  /** The site's time zone. */
  zone(): string
  /** Called when alarms have come or gone. */
  onChange(): void
}

export type Alarms = ReturnType<typeof alarms>

/** The alarms of the kitchens, which every page of the office and every kitchen screen shows (decision 056). */
export function alarms({ lookouts, log, zone, onChange }: AlarmsOptions) {
  let current: Alarm[] = []
  let keys = new Set<string>()

  return {
    /** The alarms that the last `look` found. */
    current: (): Alarm[] => current,

    /** Looks for alarms again. Each new one is logged once. */
    look(): void {
      const found = lookouts.flatMap(lookout => lookout())
      const before = keys
      const changed = JSON.stringify(found) !== JSON.stringify(current)
      current = found
      keys = new Set(found.map(keyOf))
      for (const alarm of found) {
        if (before.has(keyOf(alarm))) continue
        log.info('alarm', { location: alarm.locationId, what: alarmText(alarm, 'en', formats('en', zone())) })
      }
      if (changed) onChange()
    },
  }
}

/** Identifies an alarm as long as it lasts. */
function keyOf(alarm: Alarm): string {
  const { locationId, kind } = alarm
  if (alarm.kind === 'printer') return [locationId, kind, alarm.printer, alarm.what].join(' ')
  const { stationId } = alarm
  return [locationId, kind, stationId, ...(alarm.kind === 'not shown' ? [alarm.order] : [])].join(' ')
}
