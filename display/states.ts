import type { TicketState } from '../store/kitchen/tickets.ts'
import type { Fulfilment, Status } from '../store/ordering/status.ts'
import type { Language } from './language.ts'

type Words<Key extends string> = Record<Key, Record<Language, string>>

const statusWords: Words<Status> = {
  placed: { en: 'placed', de: 'eingegangen', pt: 'recebido' },
  confirmed: { en: 'confirmed', de: 'bestätigt', pt: 'confirmado' },
  completed: { en: 'completed', de: 'abgeschlossen', pt: 'concluído' },
  cancelled: { en: 'cancelled', de: 'storniert', pt: 'cancelado' },
}

const fulfilmentWords: Words<NonNullable<Fulfilment>> = {
  pending: { en: 'pending', de: 'vorgemerkt', pt: 'em espera' },
  in_kitchen: { en: 'in kitchen', de: 'in der Küche', pt: 'na cozinha' },
  ready: { en: 'ready', de: 'fertig', pt: 'pronto' },
  out_for_delivery: { en: 'out for delivery', de: 'unterwegs', pt: 'a caminho' },
  fulfilled: { en: 'fulfilled', de: 'ausgegeben', pt: 'entregue' },
  cancelled: statusWords.cancelled,
}

const ticketWords: Words<TicketState> = {
  open: { en: 'open', de: 'offen', pt: 'aberto' },
  held: { en: 'held', de: 'zurückgehalten', pt: 'em espera' },
  done: { en: 'done', de: 'fertig', pt: 'pronto' },
  void: { en: 'void', de: 'storniert', pt: 'anulado' },
}

/** The word of a code in a language; a code that has none stands for itself, with spaces. */
function wordIn(words: Readonly<Record<string, Record<Language, string>>>, code: string, language: Language): string {
  return words[code]?.[language] ?? code.replaceAll('_', ' ')
}

export function statusText(status: string, language: Language = 'en'): string {
  return wordIn(statusWords, status, language)
}

export function fulfilmentText(fulfilment: string, language: Language = 'en'): string {
  return wordIn(fulfilmentWords, fulfilment, language)
}

/** The state of a ticket or of one of its lines. */
export function ticketStateText(state: string, language: Language = 'en'): string {
  return wordIn(ticketWords, state, language)
}
