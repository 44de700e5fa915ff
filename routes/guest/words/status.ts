import { sentences } from '../../../display/language.ts'

/** The words of the page that shows a guest how far their order is. */
export const words = sentences({
  title: {
    en: (number: number) => `Order ${number}`,
    de: number => `Bestellung ${number}`,
    pt: number => `Pedido ${number}`,
  },
  yourNumber: { en: 'Your number', de: 'Ihre Nummer', pt: 'O seu número' },
  placed: { en: 'We have your order', de: 'Wir haben Ihre Bestellung', pt: 'Recebemos o seu pedido' },
  waiting: {
    en: 'We have your order and will confirm it in a moment',
    de: 'Wir haben Ihre Bestellung und bestätigen sie gleich',
    pt: 'Recebemos o seu pedido e vamos já confirmá-lo',
  },
  waitingHelp: {
    en: 'Somebody will come to your table first. Nothing is prepared before that.',
    de: 'Zuerst kommt jemand an Ihren Tisch. Vorher wird nichts zubereitet.',
    pt: 'Primeiro alguém vai à sua mesa. Antes disso nada é preparado.',
  },
  payFirst: { en: 'Please pay first', de: 'Bitte zahlen Sie zuerst', pt: 'Pague primeiro, por favor' },
  payFirstHelp: {
    en: 'The kitchen will begin when your order is paid. Say your number at the counter.',
    de: 'Die Küche beginnt, wenn Ihre Bestellung bezahlt ist. Nennen Sie an der Theke Ihre Nummer.',
    pt: 'A cozinha começa quando o pedido estiver pago. Diga o seu número ao balcão.',
  },
  planned: {
    en: (time: string) => `Planned for ${time}`,
    de: time => `Vorgemerkt für ${time}`,
    pt: time => `Marcado para as ${time}`,
  },
  inKitchen: { en: 'In the kitchen', de: 'In der Küche', pt: 'Na cozinha' },
  wait: {
    en: (from: string, to: string) => `Probably ready between ${from} and ${to}`,
    de: (from, to) => `Voraussichtlich fertig zwischen ${from} und ${to}`,
    pt: (from, to) => `Deve estar pronto entre as ${from} e as ${to}`,
  },
  longer: {
    en: 'It is taking longer than we thought. Thank you for your patience.',
    de: 'Es dauert länger, als wir dachten. Danke für Ihre Geduld.',
    pt: 'Está a demorar mais do que pensávamos. Obrigado pela paciência.',
  },
  ready: { en: 'Ready', de: 'Fertig', pt: 'Pronto' },
  outForDelivery: { en: 'On its way to you', de: 'Unterwegs zu Ihnen', pt: 'A caminho' },
  done: { en: 'Done', de: 'Erledigt', pt: 'Concluído' },
  doneHelp: { en: 'Enjoy!', de: 'Guten Appetit!', pt: 'Bom apetite!' },
  cancelled: { en: 'Cancelled', de: 'Storniert', pt: 'Cancelado' },
  cancelledHelp: {
    en: 'This order will not be prepared, and you do not have to pay for it.',
    de: 'Diese Bestellung wird nicht zubereitet, und Sie müssen nichts dafür zahlen.',
    pt: 'Este pedido não é preparado e não tem de o pagar.',
  },
  collect: {
    en: 'Come to the counter and say your number.',
    de: 'Kommen Sie an die Theke und nennen Sie Ihre Nummer.',
    pt: 'Venha ao balcão e diga o seu número.',
  },
  brought: {
    en: (table: string) => `We will bring it to you: ${table}.`,
    de: table => `Wir bringen es an Ihren Tisch: ${table}.`,
    pt: table => `Levamos à sua mesa: ${table}.`,
  },
  delivered: {
    en: 'We will deliver it to your address.',
    de: 'Wir liefern an Ihre Adresse.',
    pt: 'Entregamos na sua morada.',
  },
  toPay: {
    en: (amount: string) => `${amount} to pay at the counter`,
    de: amount => `${amount} an der Theke zu zahlen`,
    pt: amount => `${amount} a pagar ao balcão`,
  },
  toPayAtTable: {
    en: (amount: string) => `${amount} to pay before you leave`,
    de: amount => `${amount} zu zahlen, bevor Sie gehen`,
    pt: amount => `${amount} a pagar antes de sair`,
  },
  toPayAtDoor: {
    en: (amount: string) => `${amount} to pay on delivery`,
    de: amount => `${amount} bei der Lieferung zu zahlen`,
    pt: amount => `${amount} a pagar na entrega`,
  },
  paid: { en: 'Paid', de: 'Bezahlt', pt: 'Pago' },
  ordered: { en: 'What you ordered', de: 'Was Sie bestellt haben', pt: 'O que pediu' },
  allergens: { en: 'Allergens', de: 'Allergene', pt: 'Alergénios' },
  contains: {
    en: (list: string) => `Contains ${list}.`,
    de: list => `Enthält ${list}.`,
    pt: list => `Contém ${list}.`,
  },
  mayContain: {
    en: (list: string) => `May contain ${list}.`,
    de: list => `Kann ${list} enthalten.`,
    pt: list => `Pode conter ${list}.`,
  },
  unknownFor: {
    en: (list: string) => `Not stated for ${list}.`,
    de: list => `Nicht angegeben für ${list}.`,
    pt: list => `Não indicados para ${list}.`,
  },
  unknownOptions: {
    en: 'Not stated for the options that you chose.',
    de: 'Nicht angegeben für die gewählten Optionen.',
    pt: 'Não indicados para as opções que escolheu.',
  },
  askFirst: {
    en: 'If you have an allergy, ask us before you eat.',
    de: 'Fragen Sie uns vor dem Essen, wenn Sie eine Allergie haben.',
    pt: 'Se tem uma alergia, pergunte-nos antes de comer.',
  },
  sound: { en: 'Sound when it is ready', de: 'Ton, wenn es fertig ist', pt: 'Som quando estiver pronto' },
  cancel: { en: 'Cancel this order', de: 'Diese Bestellung stornieren', pt: 'Cancelar este pedido' },
  cancelUntil: {
    en: (time: string) => `You can cancel until ${time}, as long as nothing is ready.`,
    de: time => `Sie können bis ${time} stornieren, solange nichts fertig ist.`,
    pt: time => `Pode cancelar até às ${time}, enquanto nada estiver pronto.`,
  },
  more: { en: 'Order something else', de: 'Noch etwas bestellen', pt: 'Pedir mais alguma coisa' },
  keep: {
    en: 'Keep this page. Reload it at any time to see the state of your order.',
    de: 'Behalten Sie diese Seite. Wenn Sie sie neu laden, sehen Sie, wie weit Ihre Bestellung ist.',
    pt: 'Guarde esta página: recarregue-a quando quiser para ver o estado do pedido.',
  },
  stale: {
    en: 'No connection. This is the last known state.',
    de: 'Keine Verbindung. Das ist der letzte bekannte Stand.',
    pt: 'Sem ligação. Este é o último estado conhecido.',
  },
  steps: { en: 'Progress of your order', de: 'Wie weit Ihre Bestellung ist', pt: 'O estado do pedido' },
  tooOften: { en: 'One moment, please', de: 'Einen Moment, bitte', pt: 'Um momento, por favor' },
  tooOftenHelp: {
    en: 'This page was requested too often. Load it again in a minute.',
    de: 'Diese Seite wurde zu oft aufgerufen. Laden Sie sie in einer Minute noch einmal.',
    pt: 'Esta página foi pedida demasiadas vezes. Carregue-a de novo dentro de um minuto.',
  },
  unknown: { en: 'There is no order here', de: 'Hier ist keine Bestellung', pt: 'Não há aqui nenhum pedido' },
  unknownHelp: {
    en: 'The address may be incomplete. If you have ordered, say your number at the counter.',
    de: 'Die Adresse ist vielleicht unvollständig. Wenn Sie bestellt haben, nennen Sie an der Theke Ihre Nummer.',
    pt: 'O endereço pode estar incompleto. Se fez um pedido, diga o seu número ao balcão.',
  },
})
