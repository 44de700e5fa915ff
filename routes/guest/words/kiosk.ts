import { sentences } from '../../../display/language.ts'

/** The words of the kiosk, besides those of all guests' pages. */
export const words = sentences({
  welcome: { en: 'Order here', de: 'Hier bestellen', pt: 'Peça aqui' },
  howToEat: { en: 'Where will you eat?', de: 'Wo möchten Sie essen?', pt: 'Onde vai comer?' },
  dineIn: { en: 'Eat here', de: 'Hier essen', pt: 'Comer aqui' },
  takeaway: { en: 'Take away', de: 'Mitnehmen', pt: 'Levar' },
  allergy: {
    en: 'Do you have to avoid anything?',
    de: 'Müssen Sie etwas meiden?',
    pt: 'Tem de evitar alguma coisa?',
  },
  allergyHelp: {
    en: 'Tick it first, then choose below. Dishes that contain it are marked, and none is hidden. If you have an allergy, please tell our staff as well.',
    de: 'Kreuzen Sie es zuerst an, und wählen Sie dann unten. Gerichte, die es enthalten, werden markiert; keines wird ausgeblendet. Sagen Sie eine Allergie bitte auch unserem Personal.',
    pt: 'Assinale primeiro e depois escolha em baixo. Os pratos com isso ficam assinalados e nenhum é escondido. Se tem uma alergia, diga-o também ao nosso pessoal.',
  },
  payLater: {
    en: 'You will get a number, with which you pay at the counter.',
    de: 'Sie bekommen eine Nummer, mit der Sie an der Theke zahlen.',
    pt: 'Recebe um número, com o qual paga ao balcão.',
  },
  low: {
    en: 'Controls in the lower half',
    de: 'Bedienung in der unteren Hälfte',
    pt: 'Comandos na metade inferior',
  },
  high: {
    en: 'Controls on the whole screen',
    de: 'Bedienung auf dem ganzen Bildschirm',
    pt: 'Comandos em todo o ecrã',
  },
  startAgain: { en: 'Start again', de: 'Neu beginnen', pt: 'Recomeçar' },
  stillThere: { en: 'Still there?', de: 'Sind Sie noch da?', pt: 'Ainda aí está?' },
  soonGone: {
    en: 'Otherwise this order will be cleared in a moment:',
    de: 'Sonst wird diese Bestellung gleich gelöscht:',
    pt: 'Caso contrário, este pedido é apagado daqui a pouco:',
  },
  stay: { en: 'Yes, continue', de: 'Ja, weiter', pt: 'Sim, continuar' },
  offline: { en: 'No connection', de: 'Keine Verbindung', pt: 'Sem ligação' },
  offlineHelp: {
    en: 'Please order at the counter. This screen will be back by itself.',
    de: 'Bitte bestellen Sie an der Theke. Dieser Bildschirm meldet sich von selbst zurück.',
    pt: 'Faça o pedido ao balcão. Este ecrã volta sozinho.',
  },
  atCounter: {
    en: 'Please order at the counter.',
    de: 'Bitte bestellen Sie an der Theke.',
    pt: 'Faça o pedido ao balcão.',
  },
  off: {
    en: 'This kiosk takes no orders at the moment',
    de: 'Dieses Terminal nimmt im Moment keine Bestellungen an',
    pt: 'De momento este quiosque não aceita pedidos',
  },
  yourNumber: { en: 'Your number', de: 'Ihre Nummer', pt: 'O seu número' },
  payNow: {
    en: (amount: string) => `Please pay ${amount} at the counter.`,
    de: amount => `Bitte zahlen Sie ${amount} an der Theke.`,
    pt: amount => `Pague ${amount} ao balcão.`,
  },
  nothingToPay: { en: 'There is nothing to pay.', de: 'Es ist nichts zu zahlen.', pt: 'Não há nada a pagar.' },
  follow: {
    en: 'Follow your order on your phone',
    de: 'Verfolgen Sie die Bestellung auf Ihrem Telefon',
    pt: 'Acompanhe o pedido no telemóvel',
  },
  done: { en: 'Done', de: 'Fertig', pt: 'Concluído' },
})
