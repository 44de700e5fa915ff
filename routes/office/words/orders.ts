import { sentences } from '../../../display/language.ts'

/** The list of orders. */
export const words = sentences({
  orders: { en: 'Orders', de: 'Bestellungen', pt: 'Pedidos' },
  newOrder: { en: 'New order', de: 'Neue Bestellung', pt: 'Novo pedido' },
  filters: { en: 'Filters', de: 'Filter', pt: 'Filtros' },
  open: { en: 'Open', de: 'Offen', pt: 'Em curso' },
  unpaid: { en: 'Unpaid', de: 'Unbezahlt', pt: 'Por pagar' },
  late: { en: 'Late', de: 'Verspätet', pt: 'Atrasados' },
  today: { en: 'Today', de: 'Heute', pt: 'Hoje' },
  all: { en: 'All', de: 'Alle', pt: 'Todos' },
  find: { en: 'Find', de: 'Suchen', pt: 'Procurar' },
  findLabel: {
    en: 'Number, phone, name or dish',
    de: 'Nummer, Telefon, Name oder Gericht',
    pt: 'Número, telefone, nome ou prato',
  },
  more: {
    en: 'More ways to find',
    de: 'Genauer suchen',
    pt: 'Mais formas de procurar',
  },
  total: { en: 'Total', de: 'Betrag', pt: 'Total' },
  totalHelp: { en: 'Such as 13.53', de: 'Zum Beispiel 13,53', pt: 'Por exemplo 13,53' },
  at: { en: 'Placed at about', de: 'Eingegangen gegen', pt: 'Recebido por volta de' },
  atHelp: {
    en: 'Such as 19:42, or 2026-11-20 19:42',
    de: 'Zum Beispiel 19:42 oder 2026-11-20 19:42',
    pt: 'Por exemplo 19:42 ou 2026-11-20 19:42',
  },
  notTotal: {
    en: 'This is not an amount. Write it like 13.53.',
    de: 'Das ist kein Betrag. Schreiben Sie ihn wie 13,53.',
    pt: 'Isto não é um valor. Escreva-o como 13,53.',
  },
  notTime: {
    en: 'This is not a time. Write it like 19:42 or 2026-11-20 19:42.',
    de: 'Das ist keine Zeit. Schreiben Sie sie wie 19:42 oder 2026-11-20 19:42.',
    pt: 'Isto não é uma hora. Escreva-a como 19:42 ou 2026-11-20 19:42.',
  },
  channel: { en: 'Channel', de: 'Kanal', pt: 'Canal' },
  location: { en: 'Location', de: 'Standort', pt: 'Local' },
  any: { en: 'Any', de: 'Alle', pt: 'Todos' },
  show: { en: 'Show', de: 'Anzeigen', pt: 'Mostrar' },
  found: {
    en: (count: number, hasMore: boolean) =>
      count === 0
        ? 'No order matches.'
        : hasMore
          ? `The newest ${count} orders that match. Give more details to find older ones.`
          : `${count === 1 ? 'One order matches' : `${count} orders match`}.`,
    de: (count, hasMore) =>
      count === 0
        ? 'Keine Bestellung passt.'
        : hasMore
          ? `Die neuesten ${count} Bestellungen, die passen. Mit mehr Angaben finden Sie ältere.`
          : `${count === 1 ? 'Eine Bestellung passt' : `${count} Bestellungen passen`}.`,
    pt: (count, hasMore) =>
      count === 0
        ? 'Nenhum pedido corresponde.'
        : hasMore
          ? `Os ${count} pedidos mais recentes que correspondem. Dê mais detalhes para encontrar outros mais antigos.`
          : `${count === 1 ? 'Corresponde um pedido' : `Correspondem ${count} pedidos`}.`,
  },
  backToList: { en: 'Back to the list', de: 'Zurück zur Liste', pt: 'Voltar à lista' },
  order: { en: 'Order', de: 'Bestellung', pt: 'Pedido' },
  guest: { en: 'Guest', de: 'Gast', pt: 'Cliente' },
  state: { en: 'State', de: 'Stand', pt: 'Estado' },
  dishes: { en: 'Dishes', de: 'Gerichte', pt: 'Pratos' },
  wanted: { en: (time: string) => `for ${time}`, de: time => `für ${time}`, pt: time => `para ${time}` },
  minutes: { en: (count: number) => `${count} min`, de: count => `${count} Min.`, pt: count => `${count} min` },
  isLate: {
    en: (state: string) => `Late: ${state}`,
    de: state => `Verspätet: ${state}`,
    pt: state => `Atrasado: ${state}`,
  },
  twice: {
    en: (number: string) => `Looks like ${number} sent twice`,
    de: number => `Sieht aus wie ${number}, doppelt gesendet`,
    pt: number => `Parece ${number} enviado duas vezes`,
  },
  cancelTwice: { en: 'Cancel this one', de: 'Diese stornieren', pt: 'Cancelar este' },
  sentTwice: { en: 'sent twice', de: 'doppelt gesendet', pt: 'enviado duas vezes' },
  isUnpaid: { en: 'unpaid', de: 'unbezahlt', pt: 'por pagar' },
  partlyPaid: { en: (open: string) => `${open} open`, de: open => `${open} offen`, pt: open => `faltam ${open}` },
  toRefund: {
    en: (owed: string) => `${owed} to give back`,
    de: owed => `${owed} zurückzugeben`,
    pt: owed => `${owed} a devolver`,
  },
  noneOpen: {
    en: 'No open orders. New ones appear here by themselves.',
    de: 'Keine offenen Bestellungen. Neue erscheinen hier von selbst.',
    pt: 'Não há pedidos em curso. Os novos aparecem aqui sozinhos.',
  },
  none: { en: 'No orders like these.', de: 'Keine solchen Bestellungen.', pt: 'Não há pedidos assim.' },
  older: { en: 'Older orders', de: 'Ältere Bestellungen', pt: 'Pedidos mais antigos' },
  lookBack: { en: 'Look further back', de: 'Weiter zurück suchen', pt: 'Procurar mais para trás' },
  newest: { en: 'Newest orders', de: 'Neueste Bestellungen', pt: 'Pedidos mais recentes' },
  sound: { en: 'Sound', de: 'Ton', pt: 'Som' },
})
