import { sentences } from '../../../display/language.ts'

/** The words of a ticket on a screen. */
export const words = sentences({
  done: { en: 'Done', de: 'Fertig', pt: 'Pronto' },
  fire: { en: 'Fire now', de: 'Jetzt abrufen', pt: 'Lançar agora' },
  seenAllergy: { en: 'Allergy read', de: 'Allergie gelesen', pt: 'Alergia vista' },
  seenNotes: { en: 'Note read', de: 'Hinweis gelesen', pt: 'Nota vista' },
  seenVoid: { en: 'Void seen', de: 'Storno gelesen', pt: 'Anulação vista' },
  allergy: { en: 'Allergy', de: 'Allergie', pt: 'Alergia' },
  guest: { en: 'Guest', de: 'Gast', pt: 'Cliente' },
  note: { en: 'Note', de: 'Notiz', pt: 'Nota' },
  alcohol: { en: 'Alcohol', de: 'Alkohol', pt: 'Álcool' },
  added: { en: 'Added later', de: 'Nachbestellt', pt: 'Adicionado depois' },
  void: { en: 'VOID', de: 'STORNIERT', pt: 'ANULADO' },
  isDone: { en: 'done', de: 'fertig', pt: 'pronto' },
  alsoAt: {
    en: (stations: string) => `Also at: ${stations}`,
    de: stations => `Auch an: ${stations}`,
    pt: stations => `Também em: ${stations}`,
  },
  wanted: { en: (time: string) => `for ${time}`, de: time => `für ${time}`, pt: time => `para ${time}` },
  held: { en: 'Held', de: 'Zurückgehalten', pt: 'Em espera' },
  comes: { en: (time: string) => `fires at ${time}`, de: time => `kommt um ${time}`, pt: time => `chega às ${time}` },
})
