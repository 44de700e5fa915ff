import { valueText } from '../../display/cell.ts'
import { quoted } from '../../display/language.ts'
import { type Totalled, totalSteps } from '../../display/total.ts'
import type { Item, Menu } from '../../store/catalogue/catalogue.ts'
import type { PricedModifier } from '../../store/ordering/pricing.ts'
import type { ItemId, VariationId } from '../../store/terms/ids.ts'
import { type Html, html } from '../html/html.ts'
import type { View } from '../page/view.ts'

interface Line {
  itemId: ItemId
  variationId: VariationId | null
  name: string
  modifiers: PricedModifier[]
}

/**
 * The dishes of an order and how its total is calculated, in the guest's language as far as the menu is translated. `about` says more
 * about a line, below its name.
 */
export function orderTable(
  view: View,
  tongue: string,
  order: Totalled,
  menu: Menu | undefined,
  about?: (line: Line) => Html | undefined,
): Html {
  const left = order.lines.values()
  const lines = order.lines.map(line => translated(line, tongue, menu?.items.get(line.itemId)))
  const taxLines = order.taxLines.filter(({ tax }) => tax > 0)
  const steps = totalSteps({ ...order, lines, taxLines }, { balance: 0, paid: 0, due: order.grandTotal }, view.language)
  const hasSums = order.subtotal !== order.grandTotal
  const rows = steps
    .filter(({ kind }) => kind !== 'credited' && (kind !== 'subtotal' || hasSums))
    .map(({ kind, label, how, percent, amount }) => {
      if (kind === 'choice') return html`<tr class="option"><td colspan="2">+ ${label}</td></tr>`
      if (kind === 'note') return html`<tr class="remark"><td colspan="2">${quoted(label, view.language)}</td></tr>`
      const shown =
        amount.kind === 'amount' ? view.formats.money(amount.value, amount.exponent, order.currency) : valueText(amount)
      const isDish = kind === 'line'
      const line = isDish ? left.next().value : undefined
      const row = kind === 'grand total' ? 'grand' : isDish ? 'line' : 'sum'
      return html`<tr class="${row}"><td>${label}${line && about?.(line)}${!isDish && how !== '' && html` <small class="quiet">${percent || how}</small>`}</td><td class="num">${shown}</td></tr>`
    })
  return html`<table class="total"><tbody>${rows}</tbody></table>`
}

/** A line with its names in another language. What is no longer on the menu keeps the names that it was ordered with. */
function translated<L extends Line>(line: L, tongue: string, item: Item | undefined): L {
  if (!item) return line
  const title = item.translations[tongue]?.title
  const size = item.variations.find(({ id }) => id === line.variationId)
  const sizeTitle = size && (size.translations[tongue]?.title ?? size.title)
  const isNamed = line.variationId === null || size !== undefined
  return {
    ...line,
    name: !title || !isNamed ? line.name : sizeTitle === undefined ? title : `${title} (${sizeTitle})`,
    modifiers: line.modifiers.map(modifier => {
      const option = item.options.get(modifier.id)?.modifier
      return { ...modifier, title: option?.translations[tongue]?.title ?? modifier.title }
    }),
  }
}
