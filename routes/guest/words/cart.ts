import { sentences } from '../../../display/language.ts'

/** The words of a guest's cart. */
export const words = sentences({
  empty: { en: 'Your order is empty.', de: 'Ihre Bestellung ist noch leer.', pt: 'O seu pedido está vazio.' },
  edit: { en: 'Change', de: 'Ändern', pt: 'Alterar' },
  remove: { en: 'Remove', de: 'Entfernen', pt: 'Retirar' },
  more: { en: (dish: string) => `One more: ${dish}`, de: dish => `Eins mehr: ${dish}`, pt: dish => `Mais um: ${dish}` },
  fewer: {
    en: (dish: string) => `One less: ${dish}`,
    de: dish => `Eins weniger: ${dish}`,
    pt: dish => `Menos um: ${dish}`,
  },
  included: { en: 'included', de: 'inbegriffen', pt: 'incluído' },
  someIncluded: {
    en: (count: number) => `${count} included`,
    de: count => `${count} inbegriffen`,
    pt: count => `${count} incluídos`,
  },
  aDish: { en: 'A dish', de: 'Ein Gericht', pt: 'Um prato' },
  repair: {
    en: 'Something has changed since you chose it. The rest of your order is as it was.',
    de: 'Etwas hat sich geändert, seit Sie es gewählt haben. Der Rest Ihrer Bestellung ist wie vorher.',
    pt: 'Algo mudou desde que o escolheu. O resto do seu pedido está como estava.',
  },
  gone: {
    en: 'This dish is no longer on the menu.',
    de: 'Dieses Gericht steht nicht mehr auf der Speisekarte.',
    pt: 'Este prato já não está na ementa.',
  },
  soldOut: { en: 'This has sold out.', de: 'Das ist ausverkauft.', pt: 'Este prato esgotou.' },
  tooFew: {
    en: 'There is not enough of this left.',
    de: 'Davon ist nicht mehr genug da.',
    pt: 'Já não há o suficiente.',
  },
  sizeGone: { en: 'This size has sold out.', de: 'Diese Größe ist ausverkauft.', pt: 'Este tamanho esgotou.' },
  optionGone: {
    en: 'An option that you chose has sold out.',
    de: 'Eine Option, die Sie gewählt haben, ist ausverkauft.',
    pt: 'Uma opção que escolheu esgotou.',
  },
  choicesChanged: {
    en: 'The choices for this dish have changed.',
    de: 'Die Auswahl für dieses Gericht hat sich geändert.',
    pt: 'As escolhas para este prato mudaram.',
  },
  chooseAgain: { en: 'Choose again', de: 'Neu wählen', pt: 'Escolher de novo' },
  howToEat: {
    en: 'How would you like it?',
    de: 'Wie möchten Sie es haben?',
    pt: 'Como prefere?',
  },
  dine_in: { en: 'Eat here', de: 'Hier essen', pt: 'Comer aqui' },
  takeaway: { en: 'Take away', de: 'Mitnehmen', pt: 'Levar' },
  delivery: { en: 'Delivery', de: 'Liefern lassen', pt: 'Entrega' },
  qr: { en: 'At your table', de: 'An Ihren Tisch', pt: 'Na sua mesa' },
  modeGone: {
    en: (mode: string) => `“${mode}” is no longer offered. Please choose again.`,
    de: mode => `„${mode}“ wird nicht mehr angeboten. Bitte wählen Sie neu.`,
    pt: mode => `«${mode}» já não está disponível. Escolha de novo.`,
  },
  toTable: {
    en: (table: string) => `We will bring it to you: ${table}.`,
    de: table => `Wir bringen es an Ihren Tisch: ${table}.`,
    pt: table => `Levamos à sua mesa: ${table}.`,
  },
  postcode: { en: 'Postcode', de: 'Postleitzahl', pt: 'Código postal' },
  postcodeHelp: {
    en: 'The fee depends on it.',
    de: 'Die Gebühr hängt davon ab.',
    pt: 'A taxa depende dele.',
  },
  postcodeFirst: {
    en: 'Enter your postcode to continue. The fee and the minimum order depend on it.',
    de: 'Geben Sie Ihre Postleitzahl ein, um fortzufahren. Gebühr und Mindestbestellwert hängen davon ab.',
    pt: 'Indique o seu código postal para continuar. A taxa e o pedido mínimo dependem dele.',
  },
  check: { en: 'Check', de: 'Prüfen', pt: 'Verificar' },
  notDelivered: {
    en: (postcode: string) => `We do not deliver to ${postcode}.`,
    de: postcode => `Nach ${postcode} liefern wir nicht.`,
    pt: postcode => `Não entregamos em ${postcode}.`,
  },
  wrongPostcode: {
    en: 'Please enter a postcode.',
    de: 'Bitte geben Sie eine Postleitzahl ein.',
    pt: 'Introduza um código postal.',
  },
  belowMinimum: {
    en: (missing: string, minimum: string) => `${missing} more to reach the minimum of ${minimum} for a delivery.`,
    de: (missing, minimum) => `Noch ${missing} bis zum Mindestbestellwert von ${minimum} für eine Lieferung.`,
    pt: (missing, minimum) => `Faltam ${missing} para o mínimo de ${minimum} para entrega.`,
  },
  untilFree: {
    en: (missing: string) => `${missing} more and the delivery is free.`,
    de: missing => `Noch ${missing}, dann ist die Lieferung kostenlos.`,
    pt: missing => `Mais ${missing} e a entrega é grátis.`,
  },
  upsell: {
    en: 'Would you like anything else with it?',
    de: 'Möchten Sie etwas dazu?',
    pt: 'Quer acompanhar com algo?',
  },
  noThanks: { en: 'No, thanks', de: 'Nein, danke', pt: 'Não, obrigado' },
  addOne: {
    en: (dish: string, price: string) => `Add ${dish}, ${price}`,
    de: (dish, price) => `${dish} hinzufügen, ${price}`,
    pt: (dish, price) => `Adicionar ${dish}, ${price}`,
  },
  next: { en: 'Continue', de: 'Weiter zur Bestellung', pt: 'Continuar' },
  keepChoosing: { en: 'Back to the menu', de: 'Zurück zur Speisekarte', pt: 'Voltar à ementa' },
  tooLarge: {
    en: 'This order is too large. Please talk to our staff.',
    de: 'Diese Bestellung ist zu groß. Bitte sprechen Sie mit unserem Personal.',
    pt: 'Este pedido é demasiado grande. Fale com o nosso pessoal.',
  },
})
