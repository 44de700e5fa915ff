import type { Allergen, Item, Menu, Modifier, ModifierGroup, Variation } from '../../store/catalogue/catalogue.ts'
import { type LocationId, parseId } from '../../store/terms/ids.ts'
import { type Exponent, majorUnits, percentOf } from '../../store/terms/money.ts'
import type { Handler } from '../http/handler.ts'
import { preparedOnce } from '../http/prepared.ts'
import { refuse } from '../http/reply.ts'

const prepareMenu = preparedOnce((menu: Menu) => ({ data: menuJson(menu) }))

/** GET /v1/restaurant/locations/{locationId}/menu: what that location sells right now (section 4.2). */
export const readMenu: Handler = ({ store }, { parameters }) => {
  const locationId = locationIdIn(parameters.locationId)
  const menu = locationId && store.catalogue.current().menu(locationId)
  return menu ? { kind: 'prepared', prepared: prepareMenu(menu) } : refuse('UNKNOWN_LOCATION')
}

/** A location id as a path spells it (decision A5). */
function locationIdIn(segment: string | undefined): LocationId | undefined {
  return segment !== undefined && /^[1-9]\d*$/.test(segment) ? parseId<LocationId>(Number(segment)) : undefined
}

// In each object, members that section 2 does not name come last.

function menuJson({ location, categories, languages }: Menu) {
  return {
    location_id: location.id,
    categories: categories.map(({ id, title, items, description, translations }) => ({
      id,
      title,
      items: items.map(item => itemJson(item, location.exponent)),
      description,
      translations,
    })),
    languages,
  }
}

function itemJson(item: Item, exponent: Exponent) {
  return {
    id: item.id,
    title: item.title,
    description: item.description,
    price: majorUnits(item.price, exponent),
    has_variations: Number(item.variations.length > 0),
    image: item.image,
    prep_time_minutes: item.prepTimeMinutes,
    calories: item.calories,
    spice_level: item.spiceLevel,
    is_alcohol: Number(item.isAlcohol),
    variations: item.variations.map(variation => variationJson(variation, item, exponent)),
    modifier_groups: item.groups.map(group => groupJson(group, exponent)),
    allergens: item.allergens.map(allergenJson),
    number: item.number,
    labels: item.labels,
    minimum_age: item.minimumAge,
    tax_rate: percentOf(item.taxPpm.inHouse),
    takeaway_tax_rate: percentOf(item.taxPpm.takeaway),
    translations: item.translations,
  }
}

function variationJson(variation: Variation, item: Item, exponent: Exponent) {
  return {
    id: variation.id,
    title: variation.title,
    price: majorUnits(variation.price, exponent),
    is_default: Number(variation.isDefault),
    modifier_prices: [...item.options.values()].flatMap(({ modifier }) => {
      const price = modifier.variationPrices.get(variation.id)
      return price === undefined ? [] : [{ modifier_id: modifier.id, price: majorUnits(price, exponent) }]
    }),
    translations: variation.translations,
  }
}

function groupJson(group: ModifierGroup, exponent: Exponent) {
  return {
    id: group.id,
    title: group.title,
    selection_type: group.selectionType,
    is_required: Number(group.minSelect > 0),
    min_select: group.minSelect,
    max_select: group.maxSelect,
    free_quantity: group.freeQuantity,
    modifiers: group.modifiers.map(modifier => modifierJson(modifier, exponent)),
    translations: group.translations,
  }
}

function modifierJson(modifier: Modifier, exponent: Exponent) {
  return {
    id: modifier.id,
    title: modifier.title,
    price: majorUnits(modifier.price, exponent),
    is_default: Number(modifier.isDefault),
    max_quantity: modifier.maxQuantity,
    allergens: modifier.allergens.map(allergenJson),
    translations: modifier.translations,
  }
}

function allergenJson({ id, title, presence, translations }: Allergen) {
  return { id, title, presence, translations }
}
