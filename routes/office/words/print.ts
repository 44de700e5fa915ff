import { sentences } from '../../../display/language.ts'

/** The words of the pages with what can be printed for guests, and those on the paper. */
export const words = sentences({
  title: { en: 'Print for guests', de: 'Drucken für Gäste', pt: 'Imprimir para os clientes' },
  tables: { en: 'Table cards and stickers', de: 'Tischkarten und Aufkleber', pt: 'Cartões e autocolantes de mesa' },
  tablesHelp: {
    en: 'A QR code for each table, with its name and address in words.',
    de: 'Für jeden Tisch ein QR-Code, mit seinem Namen und der Adresse in Worten.',
    pt: 'Um código QR para cada mesa, com o nome e o endereço por extenso.',
  },
  menu: { en: 'Paper menu', de: 'Speisekarte auf Papier', pt: 'Ementa em papel' },
  menuHelp: {
    en: 'A4 in two columns, with the prices of one location. What is sold out today is printed, too.',
    de: 'A4 in zwei Spalten, mit den Preisen eines Standorts. Was heute aus ist, wird mitgedruckt.',
    pt: 'A4 em duas colunas, com os preços de um local. O que hoje está esgotado também é impresso.',
  },
  allergens: { en: 'Allergen sheet', de: 'Allergenliste', pt: 'Folha de alergénios' },
  allergensHelp: {
    en: 'All dishes and options with their allergens and the date, to lay out or hang up.',
    de: 'Alle Gerichte und Optionen mit ihren Allergenen und dem Datum, zum Auslegen oder Aufhängen.',
    pt: 'Todos os pratos e opções com os seus alergénios e a data, para pôr à vista.',
  },
  pad: { en: 'Order pad for emergencies', de: 'Bestellblock für den Notfall', pt: 'Bloco de pedidos de emergência' },
  padHelp: {
    en: 'Numbered slips with today’s menu, to write orders on when nothing else works.',
    de: 'Nummerierte Zettel mit der heutigen Karte, für Bestellungen von Hand, wenn nichts anderes geht.',
    pt: 'Folhas numeradas com a ementa de hoje, para anotar pedidos quando nada mais funciona.',
  },
  settings: { en: 'Guests’ pages', de: 'Seiten für Gäste', pt: 'Páginas dos clientes' },
  noLocation: {
    en: 'There is no published location yet. Import a menu first.',
    de: 'Noch gibt es keinen veröffentlichten Standort. Importieren Sie zuerst eine Karte.',
    pt: 'Ainda não há nenhum local publicado. Importe primeiro uma ementa.',
  },
  print: { en: 'Print', de: 'Drucken', pt: 'Imprimir' },
  printHelp: {
    en: 'Print on A4 at 100 % (actual size). Or press Ctrl+P.',
    de: 'Drucken Sie auf A4 in Originalgröße (100 %). Oder drücken Sie Strg+P.',
    pt: 'Imprima em A4 a 100 % (tamanho real). Ou prima Ctrl+P.',
  },
  show: { en: 'Show', de: 'Anzeigen', pt: 'Mostrar' },
  location: { en: 'Location', de: 'Standort', pt: 'Local' },
  language: { en: 'Language', de: 'Sprache', pt: 'Idioma' },
  preview: { en: 'Preview', de: 'Vorschau', pt: 'Pré-visualização' },

  size: { en: 'Size', de: 'Größe', pt: 'Tamanho' },
  half: { en: 'A5, 2 on a sheet', de: 'A5, 2 auf einem Blatt', pt: 'A5, 2 por folha' },
  card: { en: 'Card A6, 4 on a sheet', de: 'Karte A6, 4 auf einem Blatt', pt: 'Cartão A6, 4 por folha' },
  sticker: {
    en: 'Sticker 105 × 74 mm, 8 on a sheet',
    de: 'Aufkleber 105 × 74 mm, 8 auf einem Blatt',
    pt: 'Autocolante 105 × 74 mm, 8 por folha',
  },
  small: {
    en: 'Small sticker 70 × 59 mm, 15 on a sheet',
    de: 'Kleiner Aufkleber 70 × 59 mm, 15 auf einem Blatt',
    pt: 'Autocolante pequeno 70 × 59 mm, 15 por folha',
  },
  table: { en: 'Table', de: 'Tisch', pt: 'Mesa' },
  allTables: { en: 'All tables', de: 'Alle Tische', pt: 'Todas as mesas' },
  address: { en: 'Address for guests', de: 'Adresse für Gäste', pt: 'Endereço para os clientes' },
  onlyHere: { en: 'only this machine', de: 'nur dieser Rechner', pt: 'só esta máquina' },
  onlyHereHelp: {
    en: 'This address only works on this machine, so no phone will find it. Choose another one, or set HOST=0.0.0.0 and restart, or put a proxy in front (docs/deploy.md).',
    de: 'Diese Adresse funktioniert nur auf diesem Rechner, kein Telefon findet sie. Wählen Sie eine andere, oder setzen Sie HOST=0.0.0.0 und starten neu, oder stellen Sie einen Proxy davor (docs/deploy.md).',
    pt: 'Este endereço só funciona nesta máquina e nenhum telemóvel o encontra. Escolha outro, ou defina HOST=0.0.0.0 e reinicie, ou ponha um proxy à frente (docs/deploy.md).',
  },
  inNetwork: {
    en: 'Phones can reach this address only in the restaurant’s own network. Write the name of the Wi-Fi on the cards, and give this machine a fixed address (docs/guests.md).',
    de: 'Telefone finden diese Adresse nur im Netz des Restaurants. Schreiben Sie den Namen des WLANs auf die Karten, und sorgen Sie dafür, dass sich die Adresse dieses Rechners nicht ändert (docs/guests.md).',
    pt: 'Os telemóveis só encontram este endereço na rede do restaurante. Escreva o nome do Wi-Fi nos cartões e faça com que o endereço desta máquina não mude (docs/guests.md).',
  },
  line: { en: 'A line of your own', de: 'Eine eigene Zeile', pt: 'Uma linha sua' },
  lineHelp: {
    en: 'For example, the name and password of the Wi-Fi.',
    de: 'Etwa Name und Passwort des WLANs.',
    pt: 'Por exemplo, o nome e a palavra-passe do Wi-Fi.',
  },
  noTables: {
    en: 'This location has no tables yet. Add them to the restaurant file (“tables”) and import it.',
    de: 'Dieser Standort hat noch keine Tische. Tragen Sie sie in der Restaurantdatei ein („tables“) und importieren Sie sie.',
    pt: 'Este local ainda não tem mesas. Acrescente-as ao ficheiro do restaurante («tables») e importe-o.',
  },
  importMenu: { en: 'Import', de: 'Importieren', pt: 'Importar' },
  withoutCode: {
    en: (count: number) => (count === 1 ? '1 table has no code yet.' : `${count} tables have no code yet.`),
    de: count => (count === 1 ? '1 Tisch hat noch keinen Code.' : `${count} Tische haben noch keinen Code.`),
    pt: count => (count === 1 ? '1 mesa ainda não tem código.' : `${count} mesas ainda não têm código.`),
  },
  makeCodes: { en: 'Make the codes', de: 'Codes erzeugen', pt: 'Criar os códigos' },
  notOnSale: {
    en: 'This location is not published, so its codes lead nowhere yet.',
    de: 'Dieser Standort ist nicht veröffentlicht, seine Codes führen noch nirgendwohin.',
    pt: 'Este local não está publicado, por isso os códigos ainda não levam a lado nenhum.',
  },
  qrOf: {
    en: (table: string) => `QR code of ${table}`,
    de: table => `QR-Code von ${table}`,
    pt: table => `Código QR de ${table}`,
  },
  scan: {
    en: 'Scan to see the menu and order',
    de: 'Scannen, Karte ansehen, bestellen',
    pt: 'Leia o código para ver a ementa e pedir',
  },
  orOpen: { en: 'Or open', de: 'Oder öffnen Sie', pt: 'Ou abra' },

  emptyMenu: {
    en: 'Nothing on the menu of this location is published.',
    de: 'Auf der Karte dieses Standorts ist nichts veröffentlicht.',
    pt: 'Nada na ementa deste local está publicado.',
  },
  allergenNumbers: {
    en: 'Allergens by number, in brackets where a dish may contain traces. A dish without a number is not necessarily free of allergens: please ask us.',
    de: 'Allergene nach Nummern, in Klammern, wo ein Gericht Spuren enthalten kann. Keine Nummer heißt nicht, dass ein Gericht frei davon ist: Bitte fragen Sie uns.',
    pt: 'Alergénios por número, entre parênteses quando um prato pode conter vestígios. A falta de número não quer dizer que o prato não os tenha: pergunte-nos.',
  },
  taxIncluded: { en: 'Prices include tax.', de: 'Preise einschließlich MwSt.', pt: 'Preços com IVA incluído.' },
  taxAdded: { en: 'Tax is added to the prices.', de: 'Zuzüglich MwSt.', pt: 'Ao preço acresce o IVA.' },
  serviceCharge: {
    en: (rate: string, modes: string) => `A service charge of ${rate} is added (${modes}).`,
    de: (rate, modes) => `Dazu kommt ein Servicezuschlag von ${rate} (${modes}).`,
    pt: (rate, modes) => `Acresce uma taxa de serviço de ${rate} (${modes}).`,
  },
  printedOn: {
    en: (day: string) => `As of ${day}`,
    de: day => `Stand: ${day}`,
    pt: day => `Em vigor a ${day}`,
  },

  dish: { en: 'Dish', de: 'Gericht', pt: 'Prato' },
  option: {
    en: (group: string) => `Options: ${group}`,
    de: group => `Optionen: ${group}`,
    pt: group => `Opções: ${group}`,
  },
  contains: { en: 'contains', de: 'enthält', pt: 'contém' },
  mayContain: { en: 'may contain traces', de: 'kann Spuren enthalten', pt: 'pode conter vestígios' },
  unknown: {
    en: 'Not known: please ask us',
    de: 'Nicht bekannt: Bitte fragen Sie uns',
    pt: 'Não se sabe: pergunte-nos',
  },
  emptyCell: {
    en: 'An empty field means that the restaurant has not declared this allergen for the dish. It is no promise that the dish is free of it. If you have an allergy, please tell us before you order.',
    de: 'Ein leeres Feld heißt, dass das Restaurant dieses Allergen für das Gericht nicht angegeben hat. Es ist keine Zusage, dass das Gericht frei davon ist. Wenn Sie eine Allergie haben, sagen Sie es uns bitte vor der Bestellung.',
    pt: 'Um campo vazio quer dizer que o restaurante não declarou esse alergénio para o prato. Não é garantia de que o prato não o tenha. Se tem uma alergia, diga-nos antes de pedir.',
  },
  fewerAllergens: {
    en: (count: number) => `This sheet covers ${count} allergens. EU law names 14. Please ask us about the others.`,
    de: count =>
      `Diese Liste erfasst ${count} Allergene. Das Recht der EU nennt 14. Bitte fragen Sie uns nach den anderen.`,
    pt: count => `Esta folha abrange ${count} alergénios. A lei da UE nomeia 14. Pergunte-nos pelos outros.`,
  },
  noAllergens: {
    en: 'The restaurant file has no allergens yet. Add them to the file, or to each dish on its page, before you print this.',
    de: 'Die Restaurantdatei hat noch keine Allergene. Tragen Sie sie dort und auf den Seiten der Gerichte ein, bevor Sie dies drucken.',
    pt: 'O ficheiro do restaurante ainda não tem alergénios. Acrescente-os ao ficheiro e à página de cada prato antes de imprimir.',
  },
  unknownDishes: {
    en: (count: number) =>
      count === 1
        ? '1 dish has no allergens declared. It is printed as “not known”.'
        : `${count} dishes have no allergens declared. They are printed as “not known”.`,
    de: count =>
      count === 1
        ? 'Für 1 Gericht ist kein Allergen angegeben. Es wird als „nicht bekannt“ gedruckt.'
        : `Für ${count} Gerichte ist kein Allergen angegeben. Sie werden als „nicht bekannt“ gedruckt.`,
    pt: count =>
      count === 1
        ? '1 prato não tem nenhum alergénio declarado. É impresso como desconhecido.'
        : `${count} pratos não têm nenhum alergénio declarado. São impressos como desconhecidos.`,
  },
})
