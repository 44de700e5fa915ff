import type { Database } from 'better-sqlite3'
import { cents, type LocationRow, major } from './menu.ts'

export interface OrderBody {
  location_id: number
  channel?: string
  service_mode?: string | null
  notes?: string | null
  customer?: { name?: string | null; phone?: string | null; email?: string | null } | null
  items: LineBody[]
}
interface LineBody {
  item_id: number
  variation_id?: number | null
  qty: number
  notes?: string | null
  modifiers?: { modifier_id: number; qty?: number }[] | null
}

/** An order that the menu does not allow; thrown inside the transaction, to roll it back. */
export class InvalidOrder extends Error {}

interface OptionRow {
  id: number
  title: string
  price_milli: number
  max_quantity: number | null
  group_id: number
  group_title: string
}
interface GroupRow {
  id: number
  selection_type: string
  min_select: number
  max_select: number
  free_quantity: number
}
interface PromotionRow {
  id: number
  title: string
  weekdays: string
  from_time: string | null
  until_time: string | null
  percent_ppm: number | null
  amount_milli: number | null
}

const channels = ['web', 'phone', 'takeaway', 'delivery']
const modes = ['dine_in', 'takeaway', 'delivery', 'qr']

/** Creates orders, each in its own transaction. */
export function orders(db: Database, selectLocation: (id: number) => LocationRow | undefined) {
  const selectItem = db.prepare<{ id: number; location: number; now: number }, { title: string; price_milli: number }>(
    `SELECT item.title, coalesce(branch.price_milli, item.price_milli) AS price_milli
       FROM item JOIN category ON category.id = category_id
       LEFT JOIN location_item AS branch ON branch.item_id = item.id AND branch.location_id = @location
      WHERE item.id = @id AND item.published = 1 AND category.published = 1 AND coalesce(branch.enabled, 1) = 1
        AND NOT EXISTS (SELECT 1 FROM unavailable
                         WHERE kind = 'item' AND target_id = @id AND location_id IN (0, @location) AND (until_at IS NULL OR until_at > @now))`,
  )
  const selectVariation = db.prepare<
    { id: number; item: number; location: number },
    { title: string; price_milli: number }
  >(
    `SELECT title, coalesce(branch.price_milli, variation.price_milli) AS price_milli
       FROM variation LEFT JOIN location_variation AS branch ON variation_id = id AND location_id = @location
      WHERE id = @id AND item_id = @item AND published = 1`,
  )
  const selectGroups = db.prepare<[number], GroupRow>(
    `SELECT modifier_group.id, selection_type, free_quantity,
            coalesce(link.min_select, modifier_group.min_select) AS min_select,
            coalesce(link.max_select, modifier_group.max_select) AS max_select
       FROM item_modifier_group AS link JOIN modifier_group ON modifier_group.id = group_id WHERE item_id = ?`,
  )
  const selectOption = db.prepare<{ id: number; item: number }, OptionRow>(
    `SELECT modifier.id, modifier.title, price_milli, max_quantity, modifier.group_id, modifier_group.title AS group_title
       FROM modifier JOIN modifier_group ON modifier_group.id = modifier.group_id
       JOIN item_modifier_group AS link ON link.group_id = modifier.group_id AND item_id = @item
      WHERE modifier.id = @id AND published = 1`,
  )
  const selectPromotions = db.prepare<
    { location: number; channel: string; mode: string | null; subtotal: number; date: string },
    PromotionRow
  >(
    `SELECT id, title, weekdays, from_time, until_time, percent_ppm, amount_milli FROM promotion
      WHERE location_id = @location AND active = 1 AND (channel IS NULL OR channel = @channel)
        AND (service_mode IS NULL OR service_mode = @mode) AND coalesce(min_subtotal_milli, 0) <= @subtotal * 10
        AND (valid_from IS NULL OR valid_from <= @date) AND (valid_until IS NULL OR @date <= valid_until) ORDER BY id`,
  )
  const selectTimezone = db.prepare<[], string>("SELECT value FROM setting WHERE key = 'site.timezone'").pluck()
  const selectLastNumber = db.prepare<[], number>('SELECT number FROM orders ORDER BY id DESC LIMIT 1').pluck()
  const insertOrder = db.prepare(
    `INSERT INTO orders (number, location_id, source, channel, service_mode, mode, status, fulfillment_status, currency,
       exponent, subtotal_minor, discount_minor, service_charge_minor, delivery_fee_minor, tax_minor, grand_total_minor,
       tax_ppm, prices_include_tax, service_charge_ppm, service_charge_taxable, delivery_fee_taxable, promotion, notes,
       customer_name, customer_phone, customer_email, placed_at, business_date, stock_taken)
     VALUES (?, ?, 'api', ?, ?, ?, 'placed', NULL, ?, 2, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)`,
  )
  const insertLine = db.prepare(
    `INSERT INTO order_line (order_id, item_id, variation_id, name, qty_milli, unit_minor, modifiers_minor, total_minor,
       notes, modifiers)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )

  const insertCharge = db.prepare(
    "INSERT INTO ledger (order_id, entry, kind, amount_minor, at, business_date) VALUES (?, 1, 'charge', ?, ?, ?)",
  )

  function priceLine(line: LineBody, location: number, now: number) {
    const item = selectItem.get({ id: line.item_id, location, now })
    if (!item) throw new InvalidOrder('One of the items is no longer available.')
    const variation =
      line.variation_id == null
        ? undefined
        : selectVariation.get({ id: line.variation_id, item: line.item_id, location })
    if (line.variation_id != null && !variation) throw new InvalidOrder('One of the items is no longer available.')
    const { modifiers, modifiersTotal } = priceModifiers(line)
    const unitPrice = cents((variation ?? item).price_milli)
    const qtyMilli = Math.round(line.qty * 1000)
    return {
      itemId: line.item_id,
      variationId: line.variation_id ?? null,
      name: variation ? `${item.title} (${variation.title})` : item.title,
      qty: line.qty,
      qtyMilli,
      unitPrice,
      modifiers,
      modifiersTotal,
      total: Math.round((qtyMilli * (unitPrice + modifiersTotal)) / 1000),
      notes: line.notes || null,
    }
  }

  function priceModifiers(line: LineBody) {
    const groups = selectGroups.all(line.item_id)
    const chosenOf = new Map<number, number>()
    const modifiers = []
    let modifiersTotal = 0
    for (const { modifier_id: id, qty = 1 } of line.modifiers ?? []) {
      const option = selectOption.get({ id, item: line.item_id })
      const group = groups.find(each => each.id === option?.group_id)
      if (!option || !group) throw new InvalidOrder('A selected option is not available.')
      if (option.max_quantity !== null && qty > option.max_quantity) {
        throw new InvalidOrder('The quantity of an option is not valid.')
      }
      const chosen = chosenOf.get(group.id) ?? 0
      chosenOf.set(group.id, chosen + qty)
      const free = Math.min(qty, Math.max(0, group.free_quantity - chosen))
      const price = cents(option.price_milli)
      modifiersTotal += (qty - free) * price
      modifiers.push({ id, title: option.title, group: option.group_title, qty, free, price })
    }
    for (const group of groups) {
      const chosen = chosenOf.get(group.id) ?? 0
      const most = group.selection_type === 'single' ? 1 : group.max_select || Number.POSITIVE_INFINITY
      if (chosen < group.min_select) throw new InvalidOrder('A required option is missing.')
      if (chosen > most) throw new InvalidOrder('Too many options are selected.')
    }
    return { modifiers, modifiersTotal }
  }

  function bestPromotion(promotions: PromotionRow[], subtotal: number, weekday: string, time: string) {
    let best: { promotion: PromotionRow | null; discount: number } = { promotion: null, discount: 0 }
    for (const promotion of promotions) {
      const weekdays: string[] = JSON.parse(promotion.weekdays)
      if (weekdays.length > 0 && !weekdays.includes(weekday)) continue
      if (promotion.from_time && time < promotion.from_time) continue
      if (promotion.until_time && time >= promotion.until_time) continue
      const wanted =
        promotion.percent_ppm === null
          ? cents(promotion.amount_milli ?? 0)
          : Math.round((subtotal * promotion.percent_ppm) / 1_000_000)
      const discount = Math.min(wanted, subtotal)
      if (discount > best.discount) best = { promotion, discount }
    }
    return best
  }

  /** Returns undefined if there is no such location. Throws InvalidOrder. */
  const create = db.transaction((body: OrderBody) => {
    const location = selectLocation(body.location_id)
    if (!location) return undefined
    const now = Date.now()
    const wall = wallClock(now, location.timezone)
    const lines = body.items.map(line => priceLine(line, location.id, now))

    const channel = channels.find(known => known === body.channel) ?? 'web'
    const spelt = body.service_mode?.trim().toLowerCase().replace(/[ -]/g, '_')
    const mode = modes.find(known => known === spelt) ?? (['takeaway', 'delivery'].includes(channel) ? channel : null)
    const subtotal = lines.reduce((sum, line) => sum + line.total, 0)
    const candidates = selectPromotions.all({ location: location.id, channel, mode, subtotal, date: wall.date })
    const { promotion, discount } = bestPromotion(candidates, subtotal, wall.weekday, wall.time)
    const net = subtotal - discount
    const isCharged = mode !== null && JSON.parse(location.service_charge_modes).includes(mode)
    const serviceCharge = isCharged ? Math.round((net * location.service_charge_ppm) / 1_000_000) : 0
    const isFree = location.free_delivery_from_milli !== null && net >= cents(location.free_delivery_from_milli)
    const deliveryFee = mode === 'delivery' && !isFree ? cents(location.delivery_fee_milli) : 0
    const taxable = net + serviceCharge * location.service_charge_taxable + deliveryFee * location.delivery_fee_taxable
    const rate = location.tax_ppm ?? 0
    const tax = Math.round((taxable * rate) / (location.prices_include_tax ? 1_000_000 + rate : 1_000_000))
    const grandTotal = net + serviceCharge + deliveryFee + (location.prices_include_tax ? 0 : tax)

    const businessDate = wall.time.slice(0, 5) < location.day_starts_at ? dayBefore(wall.date) : wall.date
    const number = ((selectLastNumber.get() ?? 0) % 999_999) + 1
    const id = insertOrder.run(
      number,
      location.id,
      channel,
      body.service_mode || null,
      mode,
      location.currency,
      subtotal,
      discount,
      serviceCharge,
      deliveryFee,
      tax,
      grandTotal,
      location.tax_ppm,
      location.prices_include_tax,
      location.service_charge_ppm,
      location.service_charge_taxable,
      location.delivery_fee_taxable,
      promotion && JSON.stringify({ id: promotion.id, title: promotion.title }),
      body.notes || null,
      body.customer?.name || null,
      body.customer?.phone || null,
      body.customer?.email || null,
      now,
      businessDate,
    ).lastInsertRowid

    insertCharge.run(id, grandTotal, now, businessDate)

    const site = wallClock(now, selectTimezone.get() ?? 'UTC')
    return {
      id: Number(id),
      order_number: `ORD-${String(number).padStart(6, '0')}`,
      location_id: location.id,
      channel,
      status: 'placed',
      fulfillment_status: null,
      subtotal: major(subtotal),
      discount_total: major(discount),
      tax_total: major(tax),
      service_charge: major(serviceCharge),
      delivery_fee: major(deliveryFee),
      grand_total: major(grandTotal),
      currency: location.currency,
      notes: body.notes || null,
      placed_at: `${site.date} ${site.time}`,
      items: lines.map(line => ({
        id: Number(
          insertLine.run(
            id,
            line.itemId,
            line.variationId,
            line.name,
            line.qtyMilli,
            line.unitPrice,
            line.modifiersTotal,
            line.total,
            line.notes,
            line.modifiers.length > 0 ? JSON.stringify(line.modifiers) : null,
          ).lastInsertRowid,
        ),
        item_id: line.itemId,
        variation_id: line.variationId,
        name_snapshot: line.name,
        qty: line.qty,
        unit_price: major(line.unitPrice),
        modifiers_total: major(line.modifiersTotal),
        line_total: major(line.total),
        notes: line.notes,
      })),
    }
  })

  return { create: create.immediate }
}

const formats = new Map<string, Intl.DateTimeFormat>()

function wallClock(instant: number, timeZone: string): { date: string; time: string; weekday: string } {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    formats.set(timeZone, format)
  }
  const [date = '', time = ''] = format.format(instant).split(' ')
  const weekday = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][new Date(`${date}T00:00:00Z`).getUTCDay()] as string
  return { date, time, weekday }
}

function dayBefore(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
}
