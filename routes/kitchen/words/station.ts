import { plural, sentences } from '../../../display/language.ts'

/** A closed station, the one that prepares for it, and until when (null: until a person opens it). */
interface Closing {
  station: string
  to: string
  until: string | null
}

/** The words of a station's screen. */
export const words = sentences({
  open: {
    en: (count: number) => `${count} open`,
    de: count => `${count} offen`,
    pt: count => plural('pt', count, { one: `${count} aberto`, other: `${count} abertos` }),
  },
  counts: { en: 'All-day counts', de: 'Mengen insgesamt', pt: 'Quantidades no total' },
  noTickets: { en: 'No open tickets', de: 'Keine offenen Bons', pt: 'Não há talões abertos' },
  noStations: {
    en: 'This location has no kitchen stations yet. They are part of the restaurant file (docs/kitchen.md).',
    de: 'Dieser Standort hat noch keine Küchenstationen. Sie gehören in die Restaurantdatei (docs/kitchen.md).',
    pt: 'Este local ainda não tem postos de cozinha. Fazem parte do ficheiro do restaurante (docs/kitchen.md).',
  },
  more: {
    en: (count: number) => `${count} more ${plural('en', count, { one: 'ticket is', other: 'tickets are' })} not shown`,
    de: count => `${count} weitere ${plural('de', count, { one: 'Bon wird', other: 'Bons werden' })} nicht gezeigt`,
    pt: count =>
      plural('pt', count, {
        one: `Mais ${count} talão não é mostrado`,
        other: `Mais ${count} talões não são mostrados`,
      }),
  },
  moreHelp: {
    en: 'Mark the old ones as done, so that this screen shows all of them again.',
    de: 'Melden Sie die alten fertig, damit dieser Bildschirm wieder alle zeigt.',
    pt: 'Marque os antigos como prontos, para que este ecrã volte a mostrar todos.',
  },
  covers: {
    en: (stations: string) => `Also shows ${stations}, which is closed`,
    de: stations => `Zeigt auch ${stations} (geschlossen)`,
    pt: stations => `Mostra também ${stations} (fechado)`,
  },
  closed: {
    en: ({ station, to, until }: Closing) =>
      `Closed: ${to} prepares the new dishes of ${station}${until === null ? '' : ` until ${until}`}`,
    de: ({ station, to, until }) =>
      `Geschlossen: ${to} bereitet neue Gerichte von ${station} zu${until === null ? '' : `, bis ${until}`}`,
    pt: ({ station, to, until }) =>
      `Fechado: ${to} prepara os novos pratos de ${station}${until === null ? '' : ` até ${until}`}`,
  },
  pass: { en: 'Pass', de: 'Pass', pt: 'Passe' },
  stations: { en: 'Stations', de: 'Stationen', pt: 'Postos' },
  stationsHelp: {
    en: (most: number) => `Up to ${most} on one screen.`,
    de: most => `Bis zu ${most} auf einem Bildschirm.`,
    pt: most => `Até ${most} num ecrã.`,
  },
  show: { en: 'Show', de: 'Zeigen', pt: 'Mostrar' },
  recent: { en: 'Done lately', de: 'Zuletzt fertig', pt: 'Prontos há pouco' },
  nothingRecent: { en: 'Nothing is done yet.', de: 'Noch ist nichts fertig.', pt: 'Ainda não há nada pronto.' },
  recall: { en: 'Recall', de: 'Zurückholen', pt: 'Repor' },
})
