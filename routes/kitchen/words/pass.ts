import { plural, sentences } from '../../../display/language.ts'

/** The words of the pass. */
export const words = sentences({
  title: { en: 'Pass', de: 'Pass', pt: 'Passe' },
  stations: { en: 'Stations', de: 'Stationen', pt: 'Postos' },
  ready: { en: 'Ready', de: 'Fertig', pt: 'Prontos' },
  kitchen: { en: 'In the kitchen', de: 'In der Küche', pt: 'Na cozinha' },
  later: { en: 'For later', de: 'Für später', pt: 'Para mais tarde' },
  out: { en: 'Out for delivery', de: 'Unterwegs', pt: 'Em entrega' },
  empty: {
    en: {
      ready: 'Nothing to hand over.',
      kitchen: 'No orders in the kitchen.',
      later: 'No orders for later.',
      out: 'No deliveries on their way.',
    },
    de: {
      ready: 'Es ist nichts auszugeben.',
      kitchen: 'Die Küche hat keine Bestellungen.',
      later: 'Keine Bestellung wartet auf ihre Zeit.',
      out: 'Keine Bestellung ist unterwegs.',
    },
    pt: {
      ready: 'Não há nada para entregar.',
      kitchen: 'A cozinha não tem pedidos.',
      later: 'Nenhum pedido espera pela sua hora.',
      out: 'Nenhum pedido está a caminho.',
    },
  },
  more: {
    en: (count: number) =>
      `${count} more ${plural('en', count, { one: 'ticket is', other: 'tickets are' })} open but not shown here. Mark the old ones as done.`,
    de: count =>
      `${count} weitere ${plural('de', count, { one: 'Bon ist', other: 'Bons sind' })} offen und hier nicht zu sehen. Melden Sie die alten fertig.`,
    pt: count =>
      plural('pt', count, {
        one: `Há mais ${count} talão aberto que não se vê aqui. Marque os antigos como prontos.`,
        other: `Há mais ${count} talões abertos que não se veem aqui. Marque os antigos como prontos.`,
      }),
  },
  moreAtPass: {
    en: (count: number) =>
      `${count} more ${plural('en', count, { one: 'order is', other: 'orders are' })} ready or out for delivery but not shown here. Mark those that are gone as handed over.`,
    de: count =>
      `${count} weitere ${plural('de', count, { one: 'Bestellung ist', other: 'Bestellungen sind' })} fertig oder unterwegs und hier nicht zu sehen. Melden Sie als ausgegeben, was schon weg ist.`,
    pt: count =>
      plural('pt', count, {
        one: `Há mais ${count} pedido pronto ou em entrega que não se vê aqui. Dê como entregue o que já saiu.`,
        other: `Há mais ${count} pedidos prontos ou em entrega que não se veem aqui. Dê como entregues os que já saíram.`,
      }),
  },
  courseReady: { en: 'Course ready', de: 'Gang fertig', pt: 'Prato pronto' },
  toPay: {
    en: (amount: string) => `To pay: ${amount}`,
    de: amount => `Zu zahlen: ${amount}`,
    pt: amount => `Por pagar: ${amount}`,
  },
  calledAt: {
    en: (time: string) => `Called at ${time}`,
    de: time => `Aufgerufen um ${time}`,
    pt: time => `Chamado às ${time}`,
  },
  note: { en: 'Note', de: 'Notiz', pt: 'Nota' },
  allergy: { en: 'Allergy', de: 'Allergie', pt: 'Alergia' },
  added: { en: 'Added later', de: 'Nachbestellt', pt: 'Adicionado depois' },
  course: {
    en: (place: number) => `Course ${place}`,
    de: place => `Gang ${place}`,
    pt: place => `Prato ${place}`,
  },
  held: { en: 'held', de: 'zurückgehalten', pt: 'em espera' },
  comes: {
    en: (time: string) => `fires at ${time}`,
    de: time => `kommt um ${time}`,
    pt: time => `chega às ${time}`,
  },
  fire: { en: 'Fire now', de: 'Jetzt abrufen', pt: 'Lançar agora' },
  isOpen: { en: 'not done yet', de: 'noch nicht fertig', pt: 'ainda não pronto' },
  isDone: { en: 'done', de: 'fertig', pt: 'pronto' },
  isHeld: { en: 'held', de: 'zurückgehalten', pt: 'em espera' },
  isVoid: { en: 'void', de: 'storniert', pt: 'anulado' },
  noStation: { en: 'no station', de: 'keine Station', pt: 'nenhum posto' },
  handOver: { en: 'Hand over', de: 'Ausgeben', pt: 'Entregar' },
  sendOut: { en: 'Send out', de: 'Losschicken', pt: 'Enviar' },
  recent: { en: 'Handed over lately', de: 'Zuletzt ausgegeben', pt: 'Entregues há pouco' },
  nothingRecent: {
    en: 'Nothing has been handed over yet.',
    de: 'Noch wurde nichts ausgegeben.',
    pt: 'Ainda nada foi entregue.',
  },
  bringBack: { en: 'Bring back', de: 'Zurückholen', pt: 'Repor' },
  delivered: { en: 'Delivered', de: 'Zugestellt', pt: 'Entregue' },
  call: { en: 'Call again', de: 'Erneut aufrufen', pt: 'Chamar de novo' },
})
