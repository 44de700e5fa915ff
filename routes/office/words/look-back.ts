import { plural, sentences } from '../../../display/language.ts'

/** The words of the page Look back. */
export const words = sentences({
  title: { en: 'Look back', de: 'Rückblick', pt: 'Rever' },
  kitchen: { en: 'Kitchen', de: 'Küche', pt: 'Cozinha' },
  station: { en: 'Station', de: 'Station', pt: 'Posto' },
  allStations: { en: 'all stations', de: 'alle Stationen', pt: 'todos os postos' },
  when: { en: 'When', de: 'Wann', pt: 'Quando' },
  show: { en: 'Show', de: 'Anzeigen', pt: 'Mostrar' },
  wrongTime: {
    en: 'Enter a time in the past, such as 20:15 or 2026-11-20 20:15.',
    de: 'Geben Sie einen vergangenen Zeitpunkt ein, etwa 20:15 oder 2026-11-20 20:15.',
    pt: 'Indique uma hora que já passou, como 20:15 ou 2026-11-20 20:15.',
  },
  steps: { en: 'Other times', de: 'Andere Zeiten', pt: 'Outras horas' },
  earlier: {
    en: (count: number) => plural('en', count, { one: '1 minute earlier', other: `${count} minutes earlier` }),
    de: count => plural('de', count, { one: '1 Minute früher', other: `${count} Minuten früher` }),
    pt: count => plural('pt', count, { one: '1 minuto antes', other: `${count} minutos antes` }),
  },
  later: {
    en: (count: number) => plural('en', count, { one: '1 minute later', other: `${count} minutes later` }),
    de: count => plural('de', count, { one: '1 Minute später', other: `${count} Minuten später` }),
    pt: count => plural('pt', count, { one: '1 minuto depois', other: `${count} minutos depois` }),
  },
  open: {
    en: (count: number) => plural('en', count, { one: '1 ticket', other: `${count} tickets` }),
    de: count => plural('de', count, { one: '1 Bon', other: `${count} Bons` }),
    pt: count => plural('pt', count, { one: '1 talão', other: `${count} talões` }),
  },
  nothing: {
    en: 'There were no tickets at that time.',
    de: 'Zu dieser Zeit gab es keine Bons.',
    pt: 'Não havia talões a essa hora.',
  },
  events: {
    en: 'Five minutes before and after',
    de: 'Fünf Minuten davor und danach',
    pt: 'Cinco minutos antes e depois',
  },
  noEvents: { en: 'Nothing happened.', de: 'Nichts ist geschehen.', pt: 'Nada aconteceu.' },
  time: { en: 'Time', de: 'Uhrzeit', pt: 'Hora' },
  order: { en: 'Order', de: 'Bestellung', pt: 'Pedido' },
  what: { en: 'What', de: 'Was', pt: 'O quê' },
  who: { en: 'Who', de: 'Wer', pt: 'Quem' },
})
