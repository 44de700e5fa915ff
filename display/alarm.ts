import type { LocationId, StationId } from '../store/terms/ids.ts'
import type { Formats } from './formats.ts'
import { type Language, plural, sentences } from './language.ts'
import { orderNumber } from './order.ts'
import { type PrinterAlarm, printerAlarmText } from './printer.ts'

/** An alarm of a kitchen: something that must not go unnoticed (decision 056). */
export type Alarm = { locationId: LocationId } & (
  | {
      /** No screen of a station has shown a ticket in time. */
      kind: 'not shown'
      stationId: StationId
      station: string
      /** The number of the oldest order. */
      order: number
      /** How many more tickets. */
      more: number
    }
  /** No screen of a station has asked for its board since this instant (UTC milliseconds) or (null) since the server started. */
  | { kind: 'silent'; stationId: StationId; station: string; since: number | null }
  /** Nothing shows or prints the tickets of a station. */
  | { kind: 'no screen'; stationId: StationId; station: string }
  | PrinterAlarm
)

/** Whether an alarm can wait until somebody has time. */
export function isWarning(alarm: Alarm): boolean {
  return alarm.kind === 'no screen' || (alarm.kind === 'printer' && alarm.what === 'paper low')
}

/** "Grill has not shown ORD-000412." */
export function alarmText(alarm: Alarm, language: Language, { time }: Pick<Formats, 'time'>): string {
  const w = words[language]
  switch (alarm.kind) {
    case 'not shown':
      return w.notShown(alarm.station, orderNumber(alarm.order), alarm.more)
    case 'silent':
      return alarm.since === null ? w.neverHeard(alarm.station) : w.silent(alarm.station, time(alarm.since))
    case 'no screen':
      return w.noScreen(alarm.station)
    case 'printer':
      return printerAlarmText(alarm, language, { time })
    default:
      return alarm satisfies never
  }
}

const words = sentences({
  notShown: {
    en: (station: string, order: string, more: number) => `${station} has not shown ${order}${others.en(more)}.`,
    de: (station, order, more) => `${station} hat ${order}${others.de(more)} nicht angezeigt.`,
    pt: (station, order, more) => `${station} não mostrou ${order}${others.pt(more)}.`,
  },
  silent: {
    en: (station: string, since: string) => `No screen of ${station} has been heard from since ${since}.`,
    de: (station, since) => `Von ${station} hat sich seit ${since} kein Bildschirm gemeldet.`,
    pt: (station, since) => `Nenhum ecrã de ${station} dá sinal desde as ${since}.`,
  },
  neverHeard: {
    en: (station: string) => `No screen of ${station} is switched on.`,
    de: station => `Für ${station} ist kein Bildschirm an.`,
    pt: station => `Nenhum ecrã de ${station} está ligado.`,
  },
  noScreen: {
    en: (station: string) => `${station} has neither a screen nor a printer.`,
    de: station => `${station} hat weder Bildschirm noch Drucker.`,
    pt: station => `${station} não tem ecrã nem impressora.`,
  },
})

const others: Record<Language, (more: number) => string> = {
  en: more =>
    more === 0 ? '' : plural('en', more, { one: ' and 1 other ticket', other: ` and ${more} other tickets` }),
  de: more =>
    more === 0 ? '' : plural('de', more, { one: ' und einen weiteren Bon', other: ` und ${more} weitere Bons` }),
  pt: more => (more === 0 ? '' : plural('pt', more, { one: ' e mais 1 talão', other: ` e mais ${more} talões` })),
}
