import type { TicketState } from '../store/kitchen/tickets.ts'
import type { Method } from '../store/ledger/ledger.ts'
import type { Fulfilment, Status } from '../store/ordering/status.ts'
import type { Channel, ServiceMode, Source } from '../store/terms/channels.ts'
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

const channelWords: Words<Channel> = {
  web: { en: 'web', de: 'Web', pt: 'web' },
  phone: { en: 'phone', de: 'Telefon', pt: 'telefone' },
  takeaway: { en: 'takeaway', de: 'Abholung', pt: 'takeaway' },
  delivery: { en: 'delivery', de: 'Lieferung', pt: 'entrega' },
}

const modeWords: Words<ServiceMode> = {
  dine_in: { en: 'dine in', de: 'im Haus', pt: 'no local' },
  takeaway: channelWords.takeaway,
  delivery: channelWords.delivery,
  qr: { en: 'QR at the table', de: 'QR am Tisch', pt: 'QR na mesa' },
}

const sourceWords: Words<Source> = {
  api: { en: 'API', de: 'API', pt: 'API' },
  storefront: { en: 'guest page', de: 'Gästeseite', pt: 'página do cliente' },
  qr: { en: 'QR code', de: 'QR-Code', pt: 'código QR' },
  admin: { en: 'office', de: 'Büro', pt: 'gestão' },
  pos: { en: 'till', de: 'Kasse', pt: 'caixa' },
}

const methodWords: Words<Method> = {
  cash: { en: 'cash', de: 'bar', pt: 'dinheiro' },
  card: { en: 'card', de: 'Karte', pt: 'cartão' },
  transfer: { en: 'transfer', de: 'Überweisung', pt: 'transferência' },
  other: { en: 'other', de: 'anders', pt: 'outro' },
}

export function channelText(channel: string, language: Language = 'en'): string {
  return wordIn(channelWords, channel, language)
}

export function modeText(mode: string, language: Language = 'en'): string {
  return wordIn(modeWords, mode, language)
}

/** Where an order was made. */
export function sourceText(source: string, language: Language = 'en'): string {
  return wordIn(sourceWords, source, language)
}

/** How a payment was made. */
export function methodText(method: string, language: Language = 'en'): string {
  return wordIn(methodWords, method, language)
}
