import { plural, sentences } from '../../../display/language.ts'

/** The words of the orders of tables: those that staff confirm, and the bill. */
export const words = sentences({
  confirmFirst: {
    en: (table: string) => `${table} ordered for the first time. Is somebody sitting there?`,
    de: table => `${table} bestellt zum ersten Mal. Sitzt dort jemand?`,
    pt: table => `${table} pediu pela primeira vez. Está lá alguém sentado?`,
  },
  confirm: { en: 'Yes, confirm', de: 'Ja, bestätigen', pt: 'Sim, confirmar' },
  refuse: { en: 'Refuse', de: 'Ablehnen', pt: 'Recusar' },
  notConfirmed: { en: 'not confirmed', de: 'nicht bestätigt', pt: 'não confirmado' },
  title: {
    en: (table: string) => `Bill of ${table}`,
    de: table => `Rechnung von ${table}`,
    pt: table => `Conta de ${table}`,
  },
  bill: { en: 'Bill of the table', de: 'Rechnung des Tisches', pt: 'Conta da mesa' },
  nothing: {
    en: 'Nothing is to be paid at this table.',
    de: 'An diesem Tisch ist nichts zu zahlen.',
    pt: 'Não há nada a pagar nesta mesa.',
  },
  order: { en: 'Order', de: 'Bestellung', pt: 'Pedido' },
  open: { en: 'To pay', de: 'Zu zahlen', pt: 'A pagar' },
  together: { en: 'Together', de: 'Zusammen', pt: 'Total' },
  all: {
    en: (count: number) =>
      plural('en', count, { one: 'Take the payment', other: `Take the payment of all ${count} orders` }),
    de: count => plural('de', count, { one: 'Kassieren', other: `Alle ${count} Bestellungen kassieren` }),
    pt: count => plural('pt', count, { one: 'Receber o pagamento', other: `Receber o pagamento dos ${count} pedidos` }),
  },
  cash: { en: 'Cash', de: 'Bar', pt: 'Dinheiro' },
  card: { en: 'Card', de: 'Karte', pt: 'Cartão' },
  changed: {
    en: 'Something was paid or ordered meanwhile. Look at the bill again; what was taken is booked.',
    de: 'Inzwischen wurde etwas bezahlt oder bestellt. Sehen Sie sich die Rechnung noch einmal an; was kassiert wurde, ist gebucht.',
    pt: 'Entretanto algo foi pago ou pedido. Veja de novo a conta; o que foi recebido está registado.',
  },
  taken: { en: 'Payment taken.', de: 'Kassiert.', pt: 'Pagamento recebido.' },
})
