import type { Item, Menu, ModifierGroup } from '../../store/catalogue/catalogue.ts'
import { type LocationId, parseId } from '../../store/terms/ids.ts'
import { type Exponent, majorUnits } from '../../store/terms/money.ts'
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

function menuJson({ location, categories }: Menu) {
  return {
    location_id: location.id,
    categories: categories.map(({ id, title, items }) => ({
      id,
      title,
      items: items.map(item => itemJson(item, location.exponent)),
    })),
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
    variations: item.variations.map(({ id, title, price, isDefault }) => ({
      id,
      title,
      price: majorUnits(price, exponent),
      is_default: Number(isDefault),
    })),
    modifier_groups: item.groups.map(group => groupJson(group, exponent)),
    allergens: item.allergens.map(({ id, title, presence }) => ({ id, title, presence })),
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
    modifiers: group.modifiers.map(({ id, title, price, isDefault, maxQuantity }) => ({
      id,
      title,
      price: majorUnits(price, exponent),
      is_default: Number(isDefault),
      max_quantity: maxQuantity,
    })),
  }
}
