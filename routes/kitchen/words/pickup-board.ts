import { sentences } from '../../../display/language.ts'

/** The words of the pick-up board, which guests read. */
export const words = sentences({
  preparing: { en: 'Preparing', de: 'In Arbeit', pt: 'Em preparação' },
  ready: { en: 'Ready', de: 'Abholbereit', pt: 'Pronto' },
  called: { en: 'called again', de: 'erneut aufgerufen', pt: 'chamado de novo' },
  notLive: {
    en: 'This board is not up to date. Please ask at the counter.',
    de: 'Diese Anzeige ist nicht aktuell. Bitte fragen Sie an der Theke.',
    pt: 'Este painel não está atualizado. Pergunte ao balcão, por favor.',
  },
  sound: { en: 'Turn on the sound', de: 'Ton einschalten', pt: 'Ligar o som' },
})
