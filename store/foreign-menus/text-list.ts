import { plainDescription, plainTitle } from './file/plain-text.ts'
import { MOST_ROWS } from './file/table.ts'
import { UnreadableMenu } from './file/unreadable.ts'
import { categoryOf, emptyLocation, type ForeignItem, type ForeignMenu, itemKeys } from './menu.ts'
import { currenciesOf, type PriceStyle, readPrice, shortened } from './prices.ts'

const LONGEST_LINE = 500
const LONGEST_PRICE = 40

// What leads the eye from a dish to its price: dots, an ellipsis, a dash, a bar, a tab or a gap.
const leader = /[\s.…·_|:–—-]*$/u
const isLeader = (text: string) => /…|[.·_]{2}|\t|\s{2}|\s[-–—|:]\s|[:|]\s/.test(text)
const priceAtEnd =
  /(?<sign>(?:[€£$¥₹₺₴₪₩₫₱฿]|R\$|CHF|[A-Z]{3})\s?)?(?<number>\d[\d.,'’]*(?:,[-–—])?)(?<after>\s?(?:[€£$¥₹₺₴₪₩₫₱฿]|zł|Kč|Ft|kr\.?|CHF|[A-Z]{3}))?$/u

interface Line {
  number: number
  isIndented: boolean
  /** What stands before the price, or the whole line when there is none. */
  title: string
  /** The price as it is written; null when there is none. */
  price: string | null
  /** A whole number without a sign or a leader may be part of the name: "Menu 2". */
  isDoubtful: boolean
  /** It leads to a price that is not there. */
  leadsNowhere: boolean
}

function linesOf(text: string): Line[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  if (lines.length > MOST_ROWS) throw new UnreadableMenu(`has more than ${MOST_ROWS} lines`)
  return lines.flatMap((source, index) => {
    if (source.length > LONGEST_LINE) throw new UnreadableMenu(`has a line of more than ${LONGEST_LINE} characters`)
    const line = source.replace(/[\u00a0\u202f\u2009]/g, ' ').trimEnd()
    if (line.trim() === '') return []
    return [{ number: index + 1, isIndented: /^\s/.test(line), ...split(line) }]
  })
}

function split(line: string): Omit<Line, 'number' | 'isIndented'> {
  const end = line.slice(-LONGEST_PRICE)
  const match = priceAtEnd.exec(end)
  // Capitals before a price may belong to the dish: "Prego DOC 5,00".
  const found = match?.groups?.sign ?? ''
  const sign = currenciesOf(found.trim()).length > 0 ? found : ''
  const start = match ? line.length - end.length + match.index + found.length - sign.length : line.length
  const before = line.slice(0, start)
  const isApart = /[\s….·_|–—-]$/u.test(before) && /\p{L}/u.test(before)
  if (!match || !isApart) {
    const leadsNowhere = /[\p{L})].*(?:…|\.{3,}|·{3,}|_{3,}|\t)/u.test(line.trim())
    return { title: line.trim(), price: null, isDoubtful: false, leadsNowhere }
  }
  const { number = '', after } = match.groups ?? {}
  const isLed = isLeader(leader.exec(before)?.[0] ?? '')
  const isDoubtful = !isLed && sign === '' && after === undefined && /^\d+$/.test(number)
  return {
    title: (isLed ? before.replace(leader, '') : before).trim(),
    price: line.slice(start).trim(),
    isDoubtful,
    leadsNowhere: false,
  }
}

/** The texts of all prices, which tell how they are written. */
export function textPrices(text: string): Set<string> {
  return new Set(linesOf(text).flatMap(({ price, isDoubtful }) => (price === null || isDoubtful ? [] : [price])))
}

/**
 * Reads a list of one dish a line, its price at the end. A line without a price is a heading, which becomes a category; one that
 * is indented, or begins with a small letter or a bracket, describes the dish above it.
 */
export function textMenu(text: string, style: PriceStyle): ForeignMenu {
  const menu: ForeignMenu = { categories: new Map(), groups: [], locations: [emptyLocation(null)], unknown: [] }
  let heading: { title: string; place: string; isUsed: boolean } | undefined
  let above: ForeignItem | undefined

  function leaveHeading(): void {
    if (heading && !heading.isUsed) {
      const message = `"${shortened(heading.title)}" is followed by no dish; it is neither a dish nor a category.`
      menu.unknown.push({ place: heading.place, message })
    }
  }
  for (const line of linesOf(text)) {
    const place = `line ${line.number}`
    const title = plainTitle(line.title.replace(/^#+\s*/, ''), place)
    if (line.price === null && !line.leadsNowhere) {
      const isDescription = line.isIndented || /^[\p{Ll}(]/u.test(line.title)
      if (isDescription && above) {
        above.description = plainDescription([above.description, line.title].filter(Boolean).join(' '), place)
        continue
      }
      leaveHeading()
      heading = { title: title.replace(/\s*:$/, ''), place, isUsed: false }
      above = undefined
      continue
    }
    above = undefined
    const flaw = flawOf(line, title)
    const price = readPrice(line.price ?? '', style)
    if (flaw !== null || 'flaw' in price) {
      const found = flaw ?? ('flaw' in price ? price.flaw : '')
      menu.unknown.push({ place, message: `"${shortened(title)}" ${found}, so it is left out.` })
      if (heading) heading.isUsed = true
      continue
    }
    if (!heading) {
      heading = { title: 'Menu', place, isUsed: true }
      menu.unknown.push({ place, message: 'No heading stands above the first dishes; they stand in "Menu".' })
    }
    heading.isUsed = true
    const item: ForeignItem = {
      keys: itemKeys([], heading.title, title),
      title,
      description: null,
      price: price.amount,
      published: true,
      isAlcohol: false,
      sizes: [],
      groups: [],
    }
    categoryOf(menu, heading.title).items.push(item)
    above = item
  }
  leaveHeading()
  return menu
}

function flawOf({ price, isDoubtful }: Line, title: string): string | null {
  if (price === null) return 'has no price'
  if (isDoubtful)
    return `ends with ${price}, which may be a price or part of the name (write it as ${price},00 or ${price}.00)`
  if (/[,;]$/.test(title)) return 'has no space between its name and its price'
  if (/(?:^|\s)\d+[.,]\d{2}\s*[€£$]?\s*[/|–—-]?$|\/$/u.test(title)) return 'has more than one price'
  return null
}
