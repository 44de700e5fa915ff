import { allergenIn } from '../../display/allergen.ts'
import type { Allergen, Item } from '../../store/catalogue/catalogue.ts'
import type { AllergenId, ModifierId } from '../../store/terms/ids.ts'
import { type Html, html } from '../html/html.ts'
import { cookieOf } from '../http/cookie.ts'
import type { App } from '../http/handler.ts'
import { queryOf } from '../http/head.ts'
import type { Exchange } from '../http/reply.ts'
import { type GuestView, guestCookie, said, textOf } from './guest-page.ts'
import type { Setting } from './setting.ts'
import { words } from './words/menu.ts'

/** The allergens of all dishes and options of a menu, in the order of their ids. */
export function allergensOf({ whole }: Setting): Allergen[] {
  const known = new Map<AllergenId, Allergen>()
  for (const { allergens, groups } of whole.items.values()) {
    const ofOptions = groups.flatMap(({ modifiers }) => modifiers.flatMap(modifier => modifier.allergens))
    for (const allergen of [...allergens, ...ofOptions]) known.set(allergen.id, allergen)
  }
  return [...known.values()].sort((a, b) => a.id - b.id)
}

/** The allergens that a guest wants to avoid, and the Set-Cookie headers that keep this choice for the other pages. */
export function avoidedBy(app: App, exchange: Exchange, setting: Setting): { avoided: Allergen[]; cookies: string[] } {
  const sent = queryOf(exchange.request).getAll('avoid')
  const kept = cookieOf(exchange.request, 'avoid')?.split('.') ?? []
  const wanted = new Set(sent.length > 0 ? sent : kept)
  const avoided = allergensOf(setting).filter(({ id }) => wanted.has(String(id)))
  if (sent.length === 0) return { avoided, cookies: [] }
  const value = avoided.map(({ id }) => id).join('.')
  return { avoided, cookies: [guestCookie(app, exchange, setting, 'avoid', value, value === '' ? 0 : KEPT_S)] }
}

const KEPT_S = 6 * 3600

/** The allergens of a dish and of its options, either of all or of those that were chosen. */
interface AllergenSource extends Pick<Item, 'allergens'> {
  groups: { modifiers: Pick<Item, 'allergens'>[] }[]
}

/** What a dish or an option contains or may contain, or that nothing is stated about it. */
export function allergenLines(view: GuestView, { allergens }: Pick<Item, 'allergens'>): Html {
  const w = words[view.language]
  const named = (presence: Allergen['presence']) =>
    listed(
      view,
      allergens.filter(each => each.presence === presence),
    )
  const [contains, mayContain] = [named('contains'), named('may_contain')]
  if (allergens.length === 0) return html`<span>${w.unknown}</span>`
  return html`${contains !== '' && html`<span>${w.contains(contains)}</span>`}${mayContain !== '' && html`<span>${w.mayContain(mayContain)}</span>`}`
}

/**
 * What a guest who avoids some allergens must know about a dish; null if they avoid none. A dish or an option about which nothing is
 * stated is marked as well, and none is ever called free of an allergen (decision 059).
 */
export function warnings(view: GuestView, item: AllergenSource, avoided: Allergen[]): Html | null {
  if (avoided.length === 0) return null
  const w = words[view.language]
  const isAvoided = ({ id }: Allergen) => avoided.some(each => each.id === id)
  const own = item.allergens.filter(isAvoided)
  const options = item.groups
    .flatMap(({ modifiers }) => modifiers.flatMap(({ allergens }) => allergens.filter(isAvoided)))
    .filter((each, at, all) => all.findIndex(({ id }) => id === each.id) === at)
  const contains = listed(
    view,
    own.filter(({ presence }) => presence === 'contains'),
  )
  const mayContain = listed(
    view,
    own.filter(({ presence }) => presence === 'may_contain'),
  )
  const others = listed(
    view,
    avoided.filter(each => own.every(({ id }) => id !== each.id)),
  )
  const isOptionUnknown = item.groups.some(({ modifiers }) => modifiers.some(option => option.allergens.length === 0))
  return html`<span class="warnings">
${contains !== '' && html`<span class="state bad">${w.contains(contains)}</span>`}
${mayContain !== '' && html`<span class="state wait">${w.mayContain(mayContain)}</span>`}
${options.length > 0 && html`<span class="state wait">${w.optionsContain(listed(view, options))}</span>`}
${
  item.allergens.length === 0
    ? html`<span class="state wait">${w.unknown}</span>`
    : others !== '' && html`<span class="state off">${w.notListed(others)}</span>`
}
${isOptionUnknown && html`<span class="state wait">${areOptionsSilent(item) ? w.optionsUnknown : w.someOptionsUnknown}</span>`}
</span>`
}

/**
 * What the dish and the chosen options of a line contain, and whether nothing is stated about some of them. A guest who avoids
 * allergens gets warnings instead.
 */
export function allergensOfLine(
  view: GuestView,
  item: Item,
  modifiers: { id: ModifierId }[],
  avoided: Allergen[],
): Html {
  const chosen = modifiers.flatMap(({ id }) => item.options.get(id)?.modifier ?? [])
  const stated = chosen.filter(({ allergens }) => allergens.length > 0)
  return (
    warnings(view, { allergens: item.allergens, groups: [{ modifiers: chosen }] }, avoided) ??
    html`<p class="marks">${allergenLines(view, item)}${stated.map(
      option => html`<span>${said(view, option)}: ${allergenLines(view, option)}</span>`,
    )}${stated.length < chosen.length && html`<span>${words[view.language].someOptionsUnknown}</span>`}</p>`
  )
}

/** Whether a dish has options and nothing is stated about any of them. Its page then says so once, not beside each of them. */
export function areOptionsSilent({ groups }: AllergenSource): boolean {
  const options = groups.flatMap(({ modifiers }) => modifiers)
  return options.length > 0 && options.every(({ allergens }) => allergens.length === 0)
}

/** The names of allergens as a list in the guest's language. */
export function listed(view: GuestView, allergens: Allergen[]): string {
  return view.formats.list(allergens.map(allergen => textOf(view, allergenIn(allergen, view.tongue)) ?? ''))
}

/** The form in which a guest chooses which allergens are marked; null if the menu has none. */
export function allergenFilter(view: GuestView, setting: Setting, avoided: Allergen[], q: string): Html | null {
  const w = words[view.language]
  const all = allergensOf(setting)
  if (all.length === 0) return null
  return html`<details class="filter"><summary>${avoided.length > 0 ? w.allergensMarked(listed(view, avoided)) : w.allergens}</summary>
<form method="get" action="${view.at()}" class="stack tight">
<p class="small">${w.allergensHelp}</p>
${q !== '' && html`<input type="hidden" name="q" value="${q}">`}
<div class="ticks">${all.map(
    allergen =>
      html`<label class="choice"><input type="checkbox" name="avoid" value="${allergen.id}" checked="${avoided.includes(allergen)}">${said(view, allergenIn(allergen, view.tongue))}</label>`,
  )}</div>
<div class="actions"><button>${w.mark}</button>${avoided.length > 0 && html`<a class="button plain" href="${view.at('', { q, avoid: 'none' })}">${w.markNone}</a>`}</div>
</form></details>`
}
