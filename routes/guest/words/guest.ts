import { plural, sentences } from '../../../display/language.ts'

/** The words around every guests' page. */
export const words = sentences({
  skip: { en: 'Skip to the content', de: 'Zum Inhalt springen', pt: 'Saltar para o conteúdo' },
  language: { en: 'Language', de: 'Sprache', pt: 'Idioma' },
  menu: { en: 'Menu', de: 'Speisekarte', pt: 'Ementa' },
  off: {
    en: 'You cannot order online here',
    de: 'Hier kann man nicht selbst bestellen',
    pt: 'Aqui não é possível fazer pedidos',
  },
  offHelp: {
    en: 'Please order from our staff.',
    de: 'Bitte bestellen Sie bei unserem Personal.',
    pt: 'Faça o seu pedido ao nosso pessoal.',
  },
  wrongCode: {
    en: 'This code does not belong to a table',
    de: 'Dieser Code gehört zu keinem Tisch',
    pt: 'Este código não é de nenhuma mesa',
  },
  wrongCodeHelp: {
    en: 'It may have been replaced. Scan the code on your table again, or order from our staff.',
    de: 'Vielleicht wurde er ersetzt. Scannen Sie den Code auf Ihrem Tisch noch einmal, oder bestellen Sie bei unserem Personal.',
    pt: 'Pode ter sido substituído. Leia de novo o código da sua mesa ou faça o pedido ao nosso pessoal.',
  },
  whichPlace: {
    en: 'Where would you like to order?',
    de: 'Wo möchten Sie bestellen?',
    pt: 'Onde quer fazer o pedido?',
  },
  open: { en: 'open', de: 'geöffnet', pt: 'aberto' },
  closed: { en: 'Closed now', de: 'Jetzt geschlossen', pt: 'Agora fechado' },
  opens: {
    en: (when: string) => `Opens ${when}`,
    de: when => `Öffnet um ${when} Uhr`,
    pt: when => `Abre às ${when}`,
  },
  opensOn: {
    en: (day: string, time: string) => `Opens ${day} ${time}`,
    de: (day, time) => `Öffnet ${day} um ${time} Uhr`,
    pt: (day, time) => `Abre ${day} às ${time}`,
  },
  browse: {
    en: 'You can look at the menu meanwhile.',
    de: 'Sie können sich inzwischen die Speisekarte ansehen.',
    pt: 'Entretanto pode ver a ementa.',
  },
  paused: {
    en: 'We take no orders at the moment',
    de: 'Wir nehmen im Moment keine Bestellungen an',
    pt: 'De momento não aceitamos pedidos',
  },
  pausedUntil: {
    en: (time: string) => `We take no orders until ${time}`,
    de: time => `Wir nehmen bis ${time} keine Bestellungen an`,
    pt: time => `Não aceitamos pedidos até às ${time}`,
  },
  soldOut: {
    en: 'Everything is sold out at the moment.',
    de: 'Im Moment ist alles ausverkauft.',
    pt: 'De momento está tudo esgotado.',
  },
  wait: {
    en: (from: number, to: number) => `Ready in about ${from} to ${to} minutes`,
    de: (from, to) => `Fertig in etwa ${from} bis ${to} Minuten`,
    pt: (from, to) => `Pronto dentro de ${from} a ${to} minutos`,
  },
  busy: { en: 'We are busy.', de: 'Es ist viel los.', pt: 'Temos muito movimento.' },
  yourOrder: { en: 'Your order', de: 'Ihre Bestellung', pt: 'O seu pedido' },
  dishes: {
    en: (count: number) => `${count} ${plural('en', count, { one: 'dish', other: 'dishes' })}`,
    de: count => `${count} ${plural('de', count, { one: 'Gericht', other: 'Gerichte' })}`,
    pt: count => `${count} ${plural('pt', count, { one: 'prato', other: 'pratos' })}`,
  },
  lookAt: { en: 'needs a look', de: 'bitte prüfen', pt: 'verifique, por favor' },
})
