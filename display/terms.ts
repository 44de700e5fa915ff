import type { Unavailable } from '../store/catalogue/availability.ts'
import type { TicketEvent } from '../store/kitchen/memory.ts'
import type { HeldFor, TicketState } from '../store/kitchen/tickets.ts'
import type { EntryKind, Method } from '../store/ledger/ledger.ts'
import type { Fulfilment, Status } from '../store/ordering/status.ts'
import type { LoggedAttempt } from '../store/outbox/delivery-log.ts'
import type { Actor } from '../store/people/actor.ts'
import type { Role } from '../store/people/staff.ts'
import type { Channel, ServiceMode, Source } from '../store/terms/channels.ts'
import type { DrawerKind } from '../store/till/drawer.ts'
import type { Language } from './language.ts'

/** A term by language. */
export type Term = Record<Language, string>

/** The function that gives the term of a code; a code without a term stands for itself, with spaces. */
function termsOf<Code extends string>(terms: Record<Code, Term>) {
  const byCode = new Map<string, Term>(Object.entries(terms))
  return (code: string, language: Language = 'en'): string => byCode.get(code)?.[language] ?? code.replaceAll('_', ' ')
}

export const statusText = termsOf<Status>({
  placed: { en: 'placed', de: 'eingegangen', pt: 'recebido' },
  confirmed: { en: 'confirmed', de: 'bestätigt', pt: 'confirmado' },
  completed: { en: 'completed', de: 'abgeschlossen', pt: 'concluído' },
  cancelled: { en: 'cancelled', de: 'storniert', pt: 'cancelado' },
})

export const fulfilmentText = termsOf<NonNullable<Fulfilment>>({
  pending: { en: 'pending', de: 'vorgemerkt', pt: 'em espera' },
  in_kitchen: { en: 'in kitchen', de: 'in der Küche', pt: 'na cozinha' },
  ready: { en: 'ready', de: 'fertig', pt: 'pronto' },
  out_for_delivery: { en: 'out for delivery', de: 'unterwegs', pt: 'a caminho' },
  fulfilled: { en: 'fulfilled', de: 'ausgegeben', pt: 'entregue' },
  cancelled: { en: 'cancelled', de: 'storniert', pt: 'cancelado' },
})

const tableTerm: Term = { en: 'Table', de: 'Tisch', pt: 'Mesa' }

/** How people call a table: "Table 9" where its title is a number, otherwise its title, such as "Terrace 1". */
export function tableText(title: string, language: Language): string {
  return /^\d/.test(title) ? `${tableTerm[language]} ${title}` : title
}

/** Of a ticket or of one of its lines. */
export const ticketStateText = termsOf<TicketState>({
  open: { en: 'open', de: 'offen', pt: 'aberto' },
  held: { en: 'held', de: 'zurückgehalten', pt: 'em espera' },
  done: { en: 'done', de: 'fertig', pt: 'pronto' },
  void: { en: 'void', de: 'storniert', pt: 'anulado' },
})

/** What a held ticket waits for. */
export const heldForText = termsOf<HeldFor>({
  payment: { en: 'waiting for payment', de: 'wartet auf Zahlung', pt: 'à espera de pagamento' },
  confirmation: { en: 'waiting to be confirmed', de: 'wartet auf Bestätigung', pt: 'à espera de confirmação' },
})

export const ticketEventText = termsOf<TicketEvent['what']>({
  opened: { en: 'opened', de: 'eingegangen', pt: 'recebido' },
  added: { en: 'added', de: 'hinzugefügt', pt: 'adicionado' },
  held: { en: 'held', de: 'zurückgehalten', pt: 'posto em espera' },
  fired: { en: 'fired', de: 'abgerufen', pt: 'lançado' },
  done: { en: 'done', de: 'fertig', pt: 'pronto' },
  recalled: { en: 'recalled', de: 'zurückgeholt', pt: 'reposto' },
  void: { en: 'void', de: 'storniert', pt: 'anulado' },
  seen: { en: 'seen', de: 'gesehen', pt: 'visto' },
  called: { en: 'called again', de: 'erneut aufgerufen', pt: 'chamado de novo' },
  'handed over': { en: 'handed over', de: 'ausgegeben', pt: 'entregue' },
  'sent out': { en: 'sent out', de: 'losgeschickt', pt: 'enviado' },
  'brought back': { en: 'brought back', de: 'Ausgabe zurückgenommen', pt: 'entrega anulada' },
})

export const modeText = termsOf<ServiceMode>({
  dine_in: { en: 'dine in', de: 'im Haus', pt: 'no restaurante' },
  takeaway: { en: 'takeaway', de: 'Abholung', pt: 'take-away' },
  delivery: { en: 'delivery', de: 'Lieferung', pt: 'entrega' },
  qr: { en: 'QR at the table', de: 'QR am Tisch', pt: 'QR na mesa' },
})

export const channelText = termsOf<Channel>({
  web: { en: 'web', de: 'Web', pt: 'web' },
  phone: { en: 'phone', de: 'Telefon', pt: 'telefone' },
  takeaway: { en: 'takeaway', de: 'Abholung', pt: 'take-away' },
  delivery: { en: 'delivery', de: 'Lieferung', pt: 'entrega' },
})

export const sourceText = termsOf<Source>({
  api: { en: 'API', de: 'API', pt: 'API' },
  storefront: { en: 'guest page', de: 'Gästeseite', pt: 'página do cliente' },
  qr: { en: 'QR code', de: 'QR-Code', pt: 'código QR' },
  admin: { en: 'office', de: 'Büro', pt: 'gestão' },
  pos: { en: 'till', de: 'Kasse', pt: 'caixa' },
})

export const methodText = termsOf<Method>({
  cash: { en: 'cash', de: 'bar', pt: 'dinheiro' },
  card: { en: 'card', de: 'Karte', pt: 'cartão' },
  transfer: { en: 'transfer', de: 'Überweisung', pt: 'transferência' },
  other: { en: 'other', de: 'sonstige', pt: 'outro' },
})

export const entryKindText = termsOf<EntryKind>({
  charge: { en: 'charge', de: 'Forderung', pt: 'valor do pedido' },
  adjustment: { en: 'adjustment', de: 'Änderung', pt: 'ajuste' },
  charge_void: { en: 'charge void', de: 'Storno der Forderung', pt: 'anulação do valor' },
  payment: { en: 'payment', de: 'Zahlung', pt: 'pagamento' },
  payment_void: { en: 'payment void', de: 'Zahlungsstorno', pt: 'anulação de pagamento' },
  refund: { en: 'refund', de: 'Erstattung', pt: 'reembolso' },
  credit: { en: 'credit', de: 'Gutschrift', pt: 'crédito' },
})

export const drawerKindText = termsOf<DrawerKind>({
  float: { en: 'float', de: 'Wechselgeld', pt: 'fundo de caixa' },
  paid_in: { en: 'paid in', de: 'Einlage', pt: 'entrada de caixa' },
  paid_out: { en: 'paid out', de: 'Entnahme', pt: 'saída de caixa' },
  count: { en: 'count', de: 'Zählung', pt: 'contagem' },
})

export const roleText = termsOf<Role>({
  owner: { en: 'owner', de: 'Inhaber', pt: 'proprietário' },
  manager: { en: 'manager', de: 'Leitung', pt: 'gerente' },
  staff: { en: 'staff', de: 'Personal', pt: 'pessoal' },
})

export const deviceRoleText = termsOf<'till' | 'kitchen' | 'board' | 'kiosk' | 'printer'>({
  till: { en: 'till', de: 'Kasse', pt: 'caixa' },
  kitchen: { en: 'kitchen', de: 'Küche', pt: 'cozinha' },
  board: { en: 'board', de: 'Abholanzeige', pt: 'painel de levantamento' },
  kiosk: { en: 'kiosk', de: 'Bestellterminal', pt: 'quiosque' },
  printer: { en: 'printer', de: 'Drucker', pt: 'impressora' },
})

export const actorKindText = termsOf<Actor['kind']>({
  staff: { en: 'staff', de: 'Personal', pt: 'pessoal' },
  device: { en: 'device', de: 'Gerät', pt: 'dispositivo' },
  token: { en: 'token', de: 'API-Token', pt: 'token da API' },
  command: { en: 'command', de: 'Befehl', pt: 'comando' },
  guest: { en: 'Guest', de: 'Gast', pt: 'Cliente' },
})

/** A dish, a size or an option that can be off the menu. */
export const partText = termsOf<Unavailable['kind']>({
  item: { en: 'item', de: 'Artikel', pt: 'artigo' },
  variation: { en: 'size', de: 'Größe', pt: 'tamanho' },
  modifier: { en: 'option', de: 'Option', pt: 'opção' },
})

export const attemptStateText = termsOf<LoggedAttempt['state']>({
  pending: { en: 'waiting', de: 'wartet', pt: 'à espera' },
  started: { en: 'under way', de: 'läuft', pt: 'em curso' },
  received: { en: 'received', de: 'angekommen', pt: 'recebido' },
  lost: { en: 'LOST', de: 'verloren', pt: 'perdido' },
})
