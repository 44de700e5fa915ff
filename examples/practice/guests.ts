import type { Item, Location, Menu, ModifierGroup } from '../../store/catalogue/catalogue.ts'
import type { Draft, DraftLine, DraftModifier } from '../../store/ordering/draft.ts'
import type { Channel, ServiceMode, Source } from '../../store/terms/channels.ts'
import type { ModifierId } from '../../store/terms/ids.ts'
import { type Random, random } from './random.ts'

/** A simulated guest, and how they order. */
export interface Guest {
  mode: ServiceMode
  channel: Channel
  source: Source
  people: number
  isEvening: boolean
}

const appeal: Record<ServiceMode, number> = { dine_in: 50, takeaway: 22, delivery: 18, qr: 10 }

const waysToOrder: Record<ServiceMode, readonly { channel: Channel; source: Source; weight: number }[]> = {
  dine_in: [{ channel: 'web', source: 'pos', weight: 1 }],
  qr: [{ channel: 'web', source: 'qr', weight: 1 }],
  takeaway: [
    { channel: 'takeaway', source: 'pos', weight: 4 },
    { channel: 'phone', source: 'admin', weight: 3 },
    { channel: 'web', source: 'storefront', weight: 3 },
  ],
  delivery: [
    { channel: 'delivery', source: 'api', weight: 5 },
    { channel: 'web', source: 'storefront', weight: 3 },
    { channel: 'phone', source: 'admin', weight: 2 },
  ],
}

const parties: Record<ServiceMode, readonly number[]> = {
  dine_in: [1, 2, 2, 2, 2, 3, 3, 4, 4, 6],
  qr: [1, 1, 2, 2, 3],
  takeaway: [1, 1, 1, 2, 2, 3],
  delivery: [1, 1, 2, 2, 2, 3, 4],
}

const firstNames = [
  'Ana',
  'Bruno',
  'Carla',
  'Duarte',
  'Elena',
  'Filipe',
  'Grace',
  'Hugo',
  'Inês',
  'João',
  'Kwame',
  'Leonor',
  'Marta',
  'Nuno',
  'Olívia',
  'Pedro',
  'Rita',
  'Sofia',
  'Tiago',
  'Vera',
  'Wei',
  'Yusuf',
] as const
const dishNotes = ['no onions', 'well done', 'sauce on the side', 'to share', 'extra napkins', 'not too spicy'] as const

/** A guest who comes to a location at this hour. */
export function guestOf(location: Location, isEvening: boolean, by: Random): Guest {
  const modes: readonly ServiceMode[] = location.serviceModes.length > 0 ? location.serviceModes : ['dine_in']
  const mode = by.weighted(modes, each => appeal[each] * (each === 'delivery' && isEvening ? 1.8 : 1)) ?? 'dine_in'
  const { channel, source } = by.weighted(waysToOrder[mode], way => way.weight) ?? { channel: 'web', source: 'pos' }
  const people = by.pick(parties[mode] as [number, ...number[]])
  return { mode, channel, source, people, isEvening }
}

/** The popularity of each dish of a restaurant: some are much more popular than others, and always the same ones. */
export function tastes(seed: string): (item: Item) => number {
  const known = new Map<Item['id'], number>()
  return ({ id }) => {
    let taste = known.get(id)
    if (taste === undefined) {
      taste = 0.15 + random(`${seed} taste ${id}`).next() ** 2
      known.set(id, taste)
    }
    return taste
  }
}

/** The order of a guest from a menu: a dish for each person, drinks and side dishes. Undefined: nothing suits. */
export function draftOf(guest: Guest, menu: Menu, taste: (item: Item) => number, by: Random): Draft | undefined {
  const items = [...menu.items.values()]
  const prices = items.map(({ price }) => price).sort((a, b) => a - b)
  const middle = prices[Math.floor(prices.length / 2)] ?? 0
  const liking = (item: Item) => taste(item) * (item.isAlcohol && !guest.isEvening ? 0.3 : 1)
  const mains = items.filter(({ price, isAlcohol }) => price >= middle && !isAlcohol)
  const sides = items.filter(({ price, isAlcohol }) => price < middle || isAlcohol)

  const lines: DraftLine[] = []
  const add = (item: Item | undefined) => {
    if (!item) return
    const line = lineOf(item, by)
    const same = lines.find(other => JSON.stringify({ ...other, qtyMilli: 1000 }) === JSON.stringify(line))
    if (same) same.qtyMilli += 1000
    else lines.push(line)
  }
  for (let person = 0; person < guest.people; person++) {
    add(by.weighted(by.percent(88) ? mains : sides, liking))
    if (by.percent(70)) add(by.weighted(sides, liking))
    if (by.percent(25)) add(by.weighted(sides, liking))
  }
  if (lines.length === 0) return undefined

  const isNamed = guest.mode === 'delivery' || guest.mode === 'takeaway'
  return {
    locationId: menu.location.id,
    channel: guest.channel,
    serviceMode: guest.mode,
    notes: guest.mode === 'dine_in' ? `table ${by.between(1, 18)}` : null,
    customer: {
      name: isNamed ? by.pick(firstNames) : null,
      // Numbers that are reserved for films.
      phone: isNamed ? `555-01${String(by.between(0, 99)).padStart(2, '0')}` : null,
      email: null,
    },
    lines,
  }
}

/** One unit of a dish, in a size, with the required options and perhaps more. */
export function lineOf(item: Item, by: Random): DraftLine {
  const [first, ...others] = item.variations
  const usual = item.variations.find(({ isDefault }) => isDefault) ?? first
  const variation = usual && first && by.percent(40) ? by.pick([first, ...others]) : usual
  return {
    itemId: item.id,
    variationId: variation?.id ?? null,
    qtyMilli: 1000,
    notes: by.percent(4) ? by.pick(dishNotes) : null,
    modifiers: item.groups.flatMap(group => choices(group, by)),
  }
}

function choices(group: ModifierGroup, by: Random): DraftModifier[] {
  const most = group.selectionType === 'single' ? 1 : group.maxSelect || group.minSelect + 3
  const wanted = Math.min(most, group.minSelect + (by.percent(35) ? by.between(1, 2) : 0))
  const chosen = new Map<ModifierId, number>()
  for (let unit = 0; unit < wanted; unit++) {
    const left = group.modifiers.filter(({ id, maxQuantity }) => (chosen.get(id) ?? 0) < (maxQuantity ?? most))
    // The same option is rarely repeated while there are others.
    const modifier = by.weighted(left, ({ id, isDefault }) => (chosen.has(id) ? 0.1 : isDefault ? 3 : 1))
    if (modifier) chosen.set(modifier.id, (chosen.get(modifier.id) ?? 0) + 1)
  }
  return [...chosen].map(([id, qty]) => ({ id, qty }))
}
