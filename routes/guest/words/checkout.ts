import { plural, sentences } from '../../../display/language.ts'

/** The words of the page on which guests place their order. */
export const words = sentences({
  title: { en: 'Your order', de: 'Ihre Bestellung', pt: 'O seu pedido' },
  back: { en: 'Change the order', de: 'Bestellung ändern', pt: 'Alterar o pedido' },
  change: { en: 'Change', de: 'Ändern', pt: 'Alterar' },
  atTable: {
    en: (table: string) => `At your table: ${table}`,
    de: table => `An Ihrem Tisch: ${table}`,
    pt: table => `Na sua mesa: ${table}`,
  },
  dineIn: { en: 'To eat here', de: 'Zum Hieressen', pt: 'Para comer aqui' },
  takeaway: { en: 'To take away', de: 'Zum Mitnehmen', pt: 'Para levar' },
  delivery: { en: 'To be delivered', de: 'Zur Lieferung', pt: 'Para entregar' },
  when: { en: 'When', de: 'Wann', pt: 'Quando' },
  soon: { en: 'As soon as possible', de: 'So bald wie möglich', pt: 'O mais cedo possível' },
  wait: {
    en: (from: number, to: number) => `about ${from}–${to} min`,
    de: (from, to) => `etwa ${from}–${to} Min.`,
    pt: (from, to) => `cerca de ${from}–${to} min`,
  },
  today: { en: (time: string) => `At ${time}`, de: time => `Um ${time}`, pt: time => `Às ${time}` },
  name: { en: 'Name', de: 'Name', pt: 'Nome' },
  nameHelp: {
    en: 'We will call it out when your order is ready.',
    de: 'Wir rufen ihn auf, wenn Ihre Bestellung fertig ist.',
    pt: 'Chamamos por si quando o pedido estiver pronto.',
  },
  phone: { en: 'Phone number', de: 'Telefonnummer', pt: 'Telefone' },
  phoneHelp: {
    en: 'In case we cannot find you.',
    de: 'Falls wir Sie nicht finden.',
    pt: 'Caso não o encontremos.',
  },
  address: { en: 'Street and number', de: 'Straße und Hausnummer', pt: 'Rua e número' },
  postcode: { en: 'Postcode', de: 'Postleitzahl', pt: 'Código postal' },
  notes: { en: 'Note for the whole order', de: 'Anmerkung zur ganzen Bestellung', pt: 'Nota para todo o pedido' },
  optional: { en: 'optional', de: 'freiwillig', pt: 'opcional' },
  alcohol: {
    en: (age: number | null) =>
      age === null
        ? 'This order contains alcohol. We may ask for your age when we hand it over.'
        : `Some of this is only for people aged ${age} or over. We may ask for proof of your age when we hand it over.`,
    de: age =>
      age === null
        ? 'Diese Bestellung enthält Alkohol. Vielleicht fragen wir bei der Übergabe nach Ihrem Alter.'
        : `Einiges davon geben wir nur an Personen ab ${age} Jahren ab. Vielleicht bitten wir bei der Übergabe um einen Nachweis.`,
    pt: age =>
      age === null
        ? 'Este pedido tem álcool. Podemos perguntar a sua idade na entrega.'
        : `Parte deste pedido é só para maiores de ${age} anos. Podemos pedir comprovativo da idade na entrega.`,
  },
  total: { en: 'What it costs', de: 'Was es kostet', pt: 'Quanto custa' },
  obliges: {
    en: 'Order and pay at the counter',
    de: 'Zahlungspflichtig bestellen, Zahlung an der Theke',
    pt: 'Encomendar e pagar ao balcão',
  },
  obligesAtTable: {
    en: 'Order and pay before you leave',
    de: 'Zahlungspflichtig bestellen, Zahlung vor dem Gehen',
    pt: 'Encomendar e pagar antes de sair',
  },
  obligesAtDoor: {
    en: 'Order and pay on delivery',
    de: 'Zahlungspflichtig bestellen, Zahlung bei der Lieferung',
    pt: 'Encomendar e pagar na entrega',
  },
  sending: { en: 'Sending your order …', de: 'Ihre Bestellung wird gesendet …', pt: 'A enviar o pedido …' },
  unsent: {
    en: 'NOT SENT: we do not know whether your order has arrived. Press again: it will never be ordered twice.',
    de: 'NICHT GESENDET: Wir wissen nicht, ob Ihre Bestellung angekommen ist. Drücken Sie noch einmal: Die Bestellung wird nie zweimal aufgegeben.',
    pt: 'NÃO ENVIADO: não sabemos se o seu pedido chegou. Prima de novo: nunca é feito duas vezes.',
  },
  empty: { en: 'Your order is empty', de: 'Ihre Bestellung ist leer', pt: 'O seu pedido está vazio' },
  toMenu: { en: 'To the menu', de: 'Zur Speisekarte', pt: 'Para a ementa' },
  notPlaced: { en: 'Not ordered yet.', de: 'Noch nicht bestellt.', pt: 'Ainda não foi pedido.' },
  otherTotal: {
    en: (now: string) => `The price has changed. It is ${now} now. Would you like to order at this price?`,
    de: now => `Der Preis hat sich geändert. Jetzt sind es ${now}. Zu diesem Preis bestellen?`,
    pt: now => `O preço mudou. Agora é ${now}. Quer pedir por este preço?`,
  },
  unseenTotal: {
    en: 'Please check the new price, then order.',
    de: 'Bitte prüfen Sie den neuen Preis, und bestellen Sie dann.',
    pt: 'Verifique o novo preço e depois faça o pedido.',
  },
  thisDish: { en: 'A dish', de: 'Ein Gericht', pt: 'Um prato' },
  tooLong: {
    en: 'This text is too long, or contains characters that cannot be stored.',
    de: 'Dieser Text ist zu lang oder enthält Zeichen, die sich nicht speichern lassen.',
    pt: 'Este texto é demasiado longo ou tem caracteres que não podem ser guardados.',
  },
  ranOut: {
    en: (names: string, count: number) =>
      `${names} can no longer be ordered like this. ${plural('en', count, { one: 'Change or remove it', other: 'Change or remove them' })}; the rest stays.`,
    de: names => `${names} lässt sich so nicht mehr bestellen. Ändern oder entfernen Sie das; alles andere bleibt.`,
    pt: names => `${names}: já não é possível pedir assim. Altere ou retire; o resto fica.`,
  },
  repair: { en: 'Look at the order', de: 'Bestellung ansehen', pt: 'Ver o pedido' },
  closed: {
    en: (opens: string | null) => `We are closed now.${opens === null ? '' : ` ${opens}.`} Your order was not placed.`,
    de: opens =>
      `Wir haben jetzt geschlossen.${opens === null ? '' : ` ${opens}.`} Ihre Bestellung wurde nicht aufgegeben.`,
    pt: opens => `Estamos fechados.${opens === null ? '' : ` ${opens}.`} O seu pedido não foi feito.`,
  },
  paused: {
    en: 'We take no orders at the moment. Your order was not placed; please try again later or speak to us.',
    de: 'Im Moment nehmen wir keine Bestellungen an. Ihre Bestellung wurde nicht aufgegeben; versuchen Sie es später, oder sprechen Sie uns an.',
    pt: 'De momento não aceitamos pedidos. O seu pedido não foi feito; tente mais tarde ou fale connosco.',
  },
  arrived: {
    en: (number: number) =>
      `Your order with the number ${number} has arrived. What is in it need not be ordered again.`,
    de: (number: number) =>
      `Ihre Bestellung mit der Nummer ${number} ist angekommen. Was darin ist, muss nicht noch einmal bestellt werden.`,
    pt: (number: number) => `O seu pedido com o número ${number} chegou. Não precisa de pedir de novo o que está nele.`,
  },
  seeOrder: { en: 'See this order', de: 'Diese Bestellung ansehen', pt: 'Ver este pedido' },
  attemptUsed: {
    en: 'You have already sent an order from this page, and this one is not the same. Look at your order, and send it again if you want both.',
    de: 'Von dieser Seite haben Sie schon eine Bestellung gesendet, und diese ist eine andere. Sehen Sie sich Ihre Bestellung an, und senden Sie sie noch einmal, wenn Sie beide wollen.',
    pt: 'Já enviou um pedido desta página, e este não é igual. Veja o seu pedido e envie-o de novo se quiser os dois.',
  },
  tooMany: {
    en: 'Many orders came from here within a few minutes. Please wait a little, or order from our staff.',
    de: 'Von hier kamen in wenigen Minuten viele Bestellungen. Bitte warten Sie etwas, oder bestellen Sie bei unserem Personal.',
    pt: 'Chegaram daqui muitos pedidos em poucos minutos. Espere um pouco ou peça ao nosso pessoal.',
  },
  timePassed: {
    en: 'This time is no longer possible. Choose another one.',
    de: 'Diese Zeit ist nicht mehr möglich. Wählen Sie eine andere.',
    pt: 'Esta hora já não é possível. Escolha outra.',
  },
  notOffered: {
    en: 'This cannot be ordered here now. Please order from our staff.',
    de: 'Das lässt sich hier gerade nicht bestellen. Bitte bestellen Sie bei unserem Personal.',
    pt: 'Isto não pode ser pedido aqui neste momento. Faça o pedido ao nosso pessoal.',
  },
  noCookies: {
    en: 'Your browser keeps no cookies for this site, so it cannot place an order. Please allow cookies, or order from our staff.',
    de: 'Ihr Browser speichert keine Cookies dieser Website und kann darum nichts bestellen. Bitte erlauben Sie Cookies, oder bestellen Sie bei unserem Personal.',
    pt: 'O seu navegador não guarda cookies deste sítio e por isso não pode fazer pedidos. Permita-os ou faça o pedido ao nosso pessoal.',
  },
})
