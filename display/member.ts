import type { Thing } from '../store/restaurant-file/changes.ts'
import type { Language } from './language.ts'
import type { Term } from './terms.ts'

const things: Record<Thing, { one: Term; other: Term }> = {
  restaurant: {
    one: { en: 'restaurant', de: 'Restaurant', pt: 'restaurante' },
    other: { en: 'restaurants', de: 'Restaurants', pt: 'restaurantes' },
  },
  'tax class': {
    one: { en: 'tax class', de: 'Steuerklasse', pt: 'classe de IVA' },
    other: { en: 'tax classes', de: 'Steuerklassen', pt: 'classes de IVA' },
  },
  label: {
    one: { en: 'label', de: 'Kennzeichen', pt: 'etiqueta' },
    other: { en: 'labels', de: 'Kennzeichen', pt: 'etiquetas' },
  },
  allergen: {
    one: { en: 'allergen', de: 'Allergen', pt: 'alergénio' },
    other: { en: 'allergens', de: 'Allergene', pt: 'alergénios' },
  },
  'option group': {
    one: { en: 'option group', de: 'Optionsgruppe', pt: 'grupo de opções' },
    other: { en: 'option groups', de: 'Optionsgruppen', pt: 'grupos de opções' },
  },
  option: {
    one: { en: 'option', de: 'Option', pt: 'opção' },
    other: { en: 'options', de: 'Optionen', pt: 'opções' },
  },
  'menu section': {
    one: { en: 'menu section', de: 'Bereich der Karte', pt: 'secção da ementa' },
    other: { en: 'menu sections', de: 'Bereiche der Karte', pt: 'secções da ementa' },
  },
  item: {
    one: { en: 'item', de: 'Artikel', pt: 'artigo' },
    other: { en: 'items', de: 'Artikel', pt: 'artigos' },
  },
  size: {
    one: { en: 'size', de: 'Größe', pt: 'tamanho' },
    other: { en: 'sizes', de: 'Größen', pt: 'tamanhos' },
  },
  location: {
    one: { en: 'location', de: 'Standort', pt: 'local' },
    other: { en: 'locations', de: 'Standorte', pt: 'locais' },
  },
  'tax rate': {
    one: { en: 'tax rate', de: 'Steuersatz', pt: 'taxa de IVA' },
    other: { en: 'tax rates', de: 'Steuersätze', pt: 'taxas de IVA' },
  },
  'delivery zone': {
    one: { en: 'delivery zone', de: 'Liefergebiet', pt: 'zona de entrega' },
    other: { en: 'delivery zones', de: 'Liefergebiete', pt: 'zonas de entrega' },
  },
  'item at a location': {
    one: { en: 'item at a location', de: 'Artikel an einem Standort', pt: 'artigo num local' },
    other: { en: 'items at locations', de: 'Artikel an Standorten', pt: 'artigos em locais' },
  },
  'size at a location': {
    one: { en: 'size at a location', de: 'Größe an einem Standort', pt: 'tamanho num local' },
    other: { en: 'sizes at locations', de: 'Größen an Standorten', pt: 'tamanhos em locais' },
  },
  table: {
    one: { en: 'table', de: 'Tisch', pt: 'mesa' },
    other: { en: 'tables', de: 'Tische', pt: 'mesas' },
  },
  station: {
    one: { en: 'station', de: 'Station', pt: 'posto' },
    other: { en: 'stations', de: 'Stationen', pt: 'postos' },
  },
  'routing rule': {
    one: { en: 'routing rule', de: 'Regel für Stationen', pt: 'regra dos postos' },
    other: { en: 'routing rules', de: 'Regeln für Stationen', pt: 'regras dos postos' },
  },
  'stock item': {
    one: { en: 'stock item', de: 'Lagerartikel', pt: 'artigo de stock' },
    other: { en: 'stock items', de: 'Lagerartikel', pt: 'artigos de stock' },
  },
  promotion: {
    one: { en: 'promotion', de: 'Aktion', pt: 'promoção' },
    other: { en: 'promotions', de: 'Aktionen', pt: 'promoções' },
  },
}

/** A kind of record of a restaurant: "item", "items". */
export function thingText(thing: Thing, count: number, language: Language = 'en'): string {
  return things[thing][count === 1 ? 'one' : 'other'][language]
}

/** The members of a restaurant file as people call them. */
const members = new Map<string, Term>(
  Object.entries({
    active: { en: 'active', de: 'aktiv', pt: 'ativo' },
    address: { en: 'address', de: 'Adresse', pt: 'morada' },
    allergens: { en: 'allergens', de: 'Allergene', pt: 'alergénios' },
    amount: { en: 'amount', de: 'Betrag', pt: 'valor' },
    available: { en: 'available', de: 'verfügbar', pt: 'disponível' },
    calories: { en: 'calories', de: 'Kalorien', pt: 'calorias' },
    categories: { en: 'menu sections', de: 'Bereiche der Karte', pt: 'secções da ementa' },
    channel: { en: 'channel', de: 'Kanal', pt: 'canal' },
    closed_dates: { en: 'closed days', de: 'Schließtage', pt: 'dias de encerramento' },
    code: { en: 'code', de: 'Code', pt: 'código' },
    currency: { en: 'currency', de: 'Währung', pt: 'moeda' },
    day_starts_at: { en: 'start of the day', de: 'Tagesbeginn', pt: 'início do dia' },
    delivery_fee: { en: 'delivery fee', de: 'Liefergebühr', pt: 'taxa de entrega' },
    delivery_fee_taxable: {
      en: 'tax on the delivery fee',
      de: 'Steuer auf die Liefergebühr',
      pt: 'IVA na taxa de entrega',
    },
    delivery_zones: { en: 'delivery zones', de: 'Liefergebiete', pt: 'zonas de entrega' },
    description: { en: 'description', de: 'Beschreibung', pt: 'descrição' },
    fee: { en: 'fee', de: 'Gebühr', pt: 'taxa' },
    free_delivery_from: { en: 'free delivery from', de: 'kostenlose Lieferung ab', pt: 'entrega grátis a partir de' },
    free_quantity: { en: 'free options', de: 'Optionen ohne Aufpreis', pt: 'opções grátis' },
    from: { en: 'from', de: 'von', pt: 'das' },
    image: { en: 'image', de: 'Bild', pt: 'imagem' },
    is_alcohol: { en: 'contains alcohol', de: 'enthält Alkohol', pt: 'contém álcool' },
    is_default: { en: 'chosen at first', de: 'vorausgewählt', pt: 'escolhido à partida' },
    is_required: { en: 'must be chosen', de: 'Pflichtauswahl', pt: 'escolha obrigatória' },
    items: { en: 'items', de: 'Artikel', pt: 'artigos' },
    labels: { en: 'labels', de: 'Kennzeichen', pt: 'etiquetas' },
    low_at: { en: 'low at', de: 'knapp ab', pt: 'a acabar a partir de' },
    max_quantity: { en: 'most of one option', de: 'höchstens je Option', pt: 'máximo por opção' },
    max_select: { en: 'most options', de: 'höchstens wählbar', pt: 'máximo de opções' },
    min_select: { en: 'fewest options', de: 'mindestens zu wählen', pt: 'mínimo de opções' },
    min_subtotal: { en: 'from a subtotal of', de: 'ab einer Zwischensumme von', pt: 'a partir de um subtotal de' },
    minimum: { en: 'minimum order', de: 'Mindestbestellwert', pt: 'pedido mínimo' },
    minimum_age: { en: 'minimum age', de: 'Mindestalter', pt: 'idade mínima' },
    minimum_delivery: { en: 'minimum for delivery', de: 'Mindestbestellwert', pt: 'mínimo para entrega' },
    modifier_groups: { en: 'option groups', de: 'Optionsgruppen', pt: 'grupos de opções' },
    modifiers: { en: 'options', de: 'Optionen', pt: 'opções' },
    number: { en: 'number', de: 'Nummer', pt: 'número' },
    of: { en: 'belongs to', de: 'gehört zu', pt: 'pertence a' },
    opening_hours: { en: 'opening hours', de: 'Öffnungszeiten', pt: 'horário' },
    opening_periods: { en: 'opening hours', de: 'Öffnungszeiten', pt: 'horário' },
    percent: { en: 'percent', de: 'Prozent', pt: 'percentagem' },
    phone: { en: 'phone', de: 'Telefon', pt: 'telefone' },
    postcodes: { en: 'postcodes', de: 'Postleitzahlen', pt: 'códigos postais' },
    prep_time_minutes: { en: 'preparation time', de: 'Zubereitungszeit', pt: 'tempo de preparação' },
    price: { en: 'price', de: 'Preis', pt: 'preço' },
    prices_include_tax: { en: 'prices include tax', de: 'Preise inklusive MwSt.', pt: 'preços com IVA' },
    promotions: { en: 'promotions', de: 'Aktionen', pt: 'promoções' },
    published: { en: 'published', de: 'veröffentlicht', pt: 'publicado' },
    qty: { en: 'quantity', de: 'Menge', pt: 'quantidade' },
    rate: { en: 'rate', de: 'Satz', pt: 'taxa' },
    recipe: { en: 'recipe', de: 'Rezept', pt: 'receita' },
    recipes: { en: 'recipes', de: 'Rezepte', pt: 'receitas' },
    routing: { en: 'routing', de: 'Verteilung an die Stationen', pt: 'distribuição pelos postos' },
    selection_type: { en: 'kind of choice', de: 'Art der Auswahl', pt: 'tipo de escolha' },
    service_charge_modes: {
      en: 'service charge applies to',
      de: 'Servicezuschlag gilt für',
      pt: 'taxa de serviço para',
    },
    service_charge_rate: { en: 'service charge', de: 'Servicezuschlag', pt: 'taxa de serviço' },
    service_charge_taxable: {
      en: 'tax on the service charge',
      de: 'Steuer auf den Servicezuschlag',
      pt: 'IVA na taxa de serviço',
    },
    service_mode: { en: 'service', de: 'Service', pt: 'serviço' },
    service_modes: { en: 'services', de: 'Servicearten', pt: 'serviços' },
    spice_level: { en: 'spice level', de: 'Schärfe', pt: 'nível de picante' },
    station: { en: 'station', de: 'Station', pt: 'posto' },
    stations: { en: 'stations', de: 'Stationen', pt: 'postos' },
    stock: { en: 'stock', de: 'Bestand', pt: 'stock' },
    tables: { en: 'tables', de: 'Tische', pt: 'mesas' },
    takeaway_rate: { en: 'rate for takeaway', de: 'Satz außer Haus', pt: 'taxa para take-away' },
    takeaway_tax_rate: { en: 'tax rate for takeaway', de: 'Steuersatz außer Haus', pt: 'taxa de IVA para take-away' },
    tax_class: { en: 'tax class', de: 'Steuerklasse', pt: 'classe de IVA' },
    tax_rate: { en: 'tax rate', de: 'Steuersatz', pt: 'taxa de IVA' },
    tax_rates: { en: 'tax rates', de: 'Steuersätze', pt: 'taxas de IVA' },
    timezone: { en: 'time zone', de: 'Zeitzone', pt: 'fuso horário' },
    title: { en: 'name', de: 'Name', pt: 'nome' },
    translations: { en: 'translations', de: 'Übersetzungen', pt: 'traduções' },
    unit: { en: 'unit', de: 'Einheit', pt: 'unidade' },
    until: { en: 'until', de: 'bis', pt: 'às' },
    valid_from: { en: 'valid from', de: 'gültig ab', pt: 'válido a partir de' },
    valid_until: { en: 'valid until', de: 'gültig bis', pt: 'válido até' },
    variation_prices: { en: 'prices by size', de: 'Preise je Größe', pt: 'preços por tamanho' },
    variations: { en: 'sizes', de: 'Größen', pt: 'tamanhos' },
    weekdays: { en: 'days', de: 'Tage', pt: 'dias' },
  }),
)

const orderOf: Term = { en: 'order of the', de: 'Reihenfolge:', pt: 'ordem:' }

/** A member of a restaurant file; one without a name of its own stands for itself, with spaces. */
export function memberText(member: string, language: Language): string {
  const [, list] = /^order of (.*)$/.exec(member) ?? []
  if (list !== undefined) return `${orderOf[language]} ${memberText(list, language)}`
  return members.get(member)?.[language] ?? member.replaceAll('_', ' ')
}
