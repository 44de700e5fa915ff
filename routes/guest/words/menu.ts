import { plural, sentences } from '../../../display/language.ts'

/** The words of the menu and of a dish, for guests. */
export const words = sentences({
  sections: { en: 'Sections of the menu', de: 'Bereiche der Speisekarte', pt: 'Secções da ementa' },
  search: { en: 'Search the menu', de: 'Speisekarte durchsuchen', pt: 'Procurar na ementa' },
  find: { en: 'Search', de: 'Suchen', pt: 'Procurar' },
  nothingFound: {
    en: 'No dish contains these words.',
    de: 'Kein Gericht enthält diese Wörter.',
    pt: 'Nenhum prato tem estas palavras.',
  },
  wholeMenu: { en: 'Show the whole menu', de: 'Ganze Speisekarte zeigen', pt: 'Mostrar a ementa toda' },
  noDishes: {
    en: 'There is nothing on the menu at the moment.',
    de: 'Im Moment steht nichts auf der Speisekarte.',
    pt: 'De momento não há nada na ementa.',
  },
  from: { en: (price: string) => `from ${price}`, de: price => `ab ${price}`, pt: price => `desde ${price}` },
  soldOut: { en: 'Sold out today', de: 'Heute ausverkauft', pt: 'Esgotado hoje' },
  soldOutPart: { en: 'sold out', de: 'ausverkauft', pt: 'esgotado' },
  added: {
    en: (dish: string) => `Added to your order: ${dish}`,
    de: dish => `Zu Ihrer Bestellung hinzugefügt: ${dish}`,
    pt: dish => `Adicionado ao seu pedido: ${dish}`,
  },
  contains: { en: (what: string) => `Contains ${what}`, de: what => `Enthält ${what}`, pt: what => `Contém ${what}` },
  mayContain: {
    en: (what: string) => `May contain ${what}`,
    de: what => `Kann ${what} enthalten`,
    pt: what => `Pode conter ${what}`,
  },
  optionsContain: {
    en: (what: string) => `Some options contain ${what}`,
    de: what => `Manche Optionen enthalten ${what}`,
    pt: what => `Algumas opções contêm ${what}`,
  },
  unknown: {
    en: 'Allergens not stated: please ask us',
    de: 'Allergene nicht angegeben: bitte fragen Sie uns',
    pt: 'Alergénios não indicados: pergunte-nos',
  },
  optionsUnknown: {
    en: 'Allergens of the options not stated: please ask us',
    de: 'Allergene der Optionen nicht angegeben: bitte fragen Sie uns',
    pt: 'Alergénios das opções não indicados: pergunte-nos',
  },
  someOptionsUnknown: {
    en: 'Allergens of some options not stated: please ask us',
    de: 'Allergene mancher Optionen nicht angegeben: bitte fragen Sie uns',
    pt: 'Alergénios de algumas opções não indicados: pergunte-nos',
  },
  notListed: {
    en: (what: string) => `Not listed: ${what}`,
    de: what => `Nicht angegeben: ${what}`,
    pt: what => `Não indicado: ${what}`,
  },
  allergens: { en: 'Allergens', de: 'Allergene', pt: 'Alergénios' },
  allergensMarked: {
    en: (what: string) => `Allergens marked: ${what}`,
    de: what => `Markierte Allergene: ${what}`,
    pt: what => `Alergénios assinalados: ${what}`,
  },
  allergensHelp: {
    en: 'Dishes that contain what you choose are marked, and none is hidden. Our kitchen handles all of these, so please tell us about an allergy before you order.',
    de: 'Gerichte, die das Gewählte enthalten, werden markiert; keines wird ausgeblendet. Unsere Küche arbeitet mit allen diesen Zutaten. Sagen Sie uns bitte vor der Bestellung, wenn Sie eine Allergie haben.',
    pt: 'Os pratos com o que escolher são assinalados. Nenhum é escondido. A nossa cozinha trabalha com todos estes ingredientes, por isso avise-nos de uma alergia antes de fazer o pedido.',
  },
  mark: { en: 'Mark dishes', de: 'Gerichte markieren', pt: 'Assinalar pratos' },
  markNone: { en: 'Mark none', de: 'Nichts markieren', pt: 'Não assinalar' },
  spice: {
    en: (level: number) => `Spicy: ${level} of 5`,
    de: level => `Schärfe: ${level} von 5`,
    pt: level => `Picante: ${level} de 5`,
  },
  alcohol: { en: 'Contains alcohol', de: 'Mit Alkohol', pt: 'Com álcool' },
  fromAge: {
    en: (age: number) => `Aged ${age} or over`,
    de: age => `Ab ${age} Jahren`,
    pt: age => `A partir de ${age} anos`,
  },
  calories: {
    en: (count: number) => `${count} kcal per portion`,
    de: count => `${count} kcal pro Portion`,
    pt: count => `${count} kcal por dose`,
  },
  plusTax: {
    en: 'Prices do not include tax. It is shown before you send your order.',
    de: 'Alle Preise ohne MwSt. Sie wird angezeigt, bevor Sie die Bestellung absenden.',
    pt: 'Preços sem IVA. O IVA é mostrado antes de enviar o pedido.',
  },
  withTax: { en: 'Prices include tax.', de: 'Alle Preise mit MwSt.', pt: 'Preços com IVA incluído.' },
  serviceCharge: {
    en: (share: string) => `A service charge of ${share} is added.`,
    de: share => `Dazu kommt ein Servicezuschlag von ${share}.`,
    pt: share => `Acresce uma taxa de serviço de ${share}.`,
  },
  delivery: { en: 'Delivery', de: 'Lieferung', pt: 'Entrega' },
  deliveryFee: { en: (fee: string) => `fee ${fee}`, de: fee => `Gebühr ${fee}`, pt: fee => `taxa ${fee}` },
  deliveryFees: {
    en: (low: string, high: string) => `fee ${low} to ${high} by postcode`,
    de: (low, high) => `Gebühr ${low} bis ${high} je nach Postleitzahl`,
    pt: (low, high) => `taxa de ${low} a ${high} conforme o código postal`,
  },
  deliveryFree: {
    en: (sum: string) => `free from ${sum}`,
    de: sum => `ab ${sum} kostenlos`,
    pt: sum => `grátis a partir de ${sum}`,
  },
  deliveryMinimum: {
    en: (sum: string) => `minimum order ${sum}`,
    de: sum => `Mindestbestellwert ${sum}`,
    pt: sum => `pedido mínimo ${sum}`,
  },

  size: { en: 'Size', de: 'Größe', pt: 'Tamanho' },
  chooseUpTo: {
    en: (most: number) => `Choose up to ${most}`,
    de: most => `Wählen Sie bis zu ${most}`,
    pt: most => `Escolha até ${most}`,
  },
  chooseExactly: {
    en: (count: number) => `Choose ${count}`,
    de: count => `Wählen Sie ${count}`,
    pt: count => `Escolha ${count}`,
  },
  chooseAtLeast: {
    en: (least: number) => `Choose at least ${least}`,
    de: least => `Wählen Sie mindestens ${least}`,
    pt: least => `Escolha pelo menos ${least}`,
  },
  chooseBetween: {
    en: (least: number, most: number) => `Choose ${least} to ${most}`,
    de: (least, most) => `Wählen Sie ${least} bis ${most}`,
    pt: (least, most) => `Escolha de ${least} a ${most}`,
  },
  ifYouLike: { en: 'If you like', de: 'Wenn Sie möchten', pt: 'Se quiser' },
  free: {
    en: (count: number) =>
      plural('en', count, { one: 'the first one is included', other: `the first ${count} are included` }),
    de: count =>
      plural('de', count, { one: 'die erste ist inbegriffen', other: `die ersten ${count} sind inbegriffen` }),
    pt: count =>
      plural('pt', count, { one: 'a primeira está incluída', other: `as primeiras ${count} estão incluídas` }),
  },
  included: { en: 'included', de: 'inbegriffen', pt: 'incluído' },
  thenExtra: {
    en: (price: string) => `included, then ${price}`,
    de: price => `inbegriffen, danach ${price}`,
    pt: price => `incluído, depois ${price}`,
  },
  none: { en: 'None', de: 'Keine', pt: 'Nenhuma' },
  quantity: { en: 'Quantity', de: 'Menge', pt: 'Quantidade' },
  note: { en: 'Note for the kitchen', de: 'Hinweis für die Küche', pt: 'Nota para a cozinha' },
  noteHelp: {
    en: 'Please tell our staff about an allergy as well.',
    de: 'Sagen Sie eine Allergie bitte auch unserem Personal.',
    pt: 'Se tiver uma alergia, avise também o nosso pessoal.',
  },
  add: { en: 'Add', de: 'Hinzufügen', pt: 'Adicionar' },
  change: { en: 'Save changes', de: 'Änderungen speichern', pt: 'Guardar alterações' },
  updatePrice: { en: 'Update the price', de: 'Preis aktualisieren', pt: 'Atualizar o preço' },
  back: { en: 'Back to the menu', de: 'Zurück zur Speisekarte', pt: 'Voltar à ementa' },
  backToCart: { en: 'Back to your order', de: 'Zurück zur Bestellung', pt: 'Voltar ao pedido' },
  wrong: {
    en: 'Not added yet: please look at what is marked.',
    de: 'Noch nicht hinzugefügt: Bitte sehen Sie sich die markierten Stellen an.',
    pt: 'Ainda não adicionado: verifique o que está assinalado.',
  },
  chooseSize: { en: 'Choose a size', de: 'Wählen Sie eine Größe', pt: 'Escolha um tamanho' },
  sizeGone: { en: 'This size has sold out', de: 'Diese Größe ist ausverkauft', pt: 'Este tamanho esgotou' },
  optionGone: {
    en: 'An option that you chose has sold out. Please choose again.',
    de: 'Eine Option, die Sie gewählt haben, ist ausverkauft. Bitte wählen Sie neu.',
    pt: 'Uma opção que escolheu esgotou. Escolha de novo.',
  },
  tooFew: { en: 'Please choose here', de: 'Bitte wählen Sie hier', pt: 'Escolha aqui' },
  tooMany: { en: 'You have chosen too many', de: 'Das sind zu viele', pt: 'São demasiadas' },
  quantityWrong: {
    en: (most: number) => `Enter a number from 1 to ${most}`,
    de: most => `Geben Sie eine Zahl von 1 bis ${most} ein`,
    pt: most => `Introduza um número de 1 a ${most}`,
  },
  noteWrong: {
    en: (most: number) => `At most ${most} characters`,
    de: most => `Höchstens ${most} Zeichen`,
    pt: most => `No máximo ${most} caracteres`,
  },
  full: {
    en: 'Your order is full. Send it first, or remove something.',
    de: 'Ihre Bestellung ist voll. Senden Sie sie zuerst ab, oder entfernen Sie etwas.',
    pt: 'O seu pedido está cheio. Envie-o primeiro ou retire algo.',
  },
})
