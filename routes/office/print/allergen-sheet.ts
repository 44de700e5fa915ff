import { allergenIn } from '../../../display/allergen.ts'
import { formats } from '../../../display/formats.ts'
import type { LocationEntry, RestaurantFile } from '../../../store/restaurant-file/restaurant-file.ts'
import { type Html, html } from '../../html/html.ts'
import type { Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import { type View, viewOf } from '../../page/view.ts'
import { menuAt } from '../menu/menu.ts'
import { locationOf } from '../menu/menu-state.ts'
import { words } from '../words/print.ts'
import { inLanguage, locationChoice, menuLanguage, printedMenu, sheetsPage, wordsLanguage } from './sheets.ts'

const here = '/office/print/allergens'

// Regulation (EU) No 1169/2011, Annex II.
const EU_ALLERGENS = 14

/** GET {basePath}/office/print/allergens: a table of all dishes and options with their allergens, and its date. */
export const readAllergenSheet: Handler<PersonCaller> = (app, call) => {
  const view = viewOf(app, call)
  const w = words[view.language]
  const query = queryOf(call.exchange.request)
  const location = locationOf(app, query)
  const menu = location && menuAt(app, location.id)
  const restaurant = app.store.restaurant()
  const { language, choice } = menuLanguage(view, restaurant, query)
  const sections = menu ? printedMenu(menu) : []
  const unknown = sections.flatMap(({ dishes }) => dishes).filter(({ entry }) => entry.allergens.length === 0).length
  const isEmpty = sections.length === 0 || restaurant.allergens.length === 0
  return sheetsPage(view, {
    title: w.allergens,
    path: here,
    language,
    choices: [location && locationChoice(app, view, location.id), choice].flatMap(each => each ?? []),
    notes: [
      sections.length === 0 && html`<p class="card empty">${location ? w.emptyMenu : w.noLocation}</p>`,
      sections.length > 0 &&
        restaurant.allergens.length === 0 &&
        html`<p class="note bad"><span>${w.noAllergens}</span></p>`,
      !isEmpty && unknown > 0 && html`<p class="note"><span>${w.unknownDishes(unknown)}</span></p>`,
    ],
    paper: location && !isEmpty ? paper(view, { restaurant, location, sections, language }) : undefined,
  })
}

interface Printed {
  restaurant: RestaurantFile
  location: LocationEntry
  sections: ReturnType<typeof printedMenu>
  language: string
}

type Declared = RestaurantFile['categories'][number]['items'][number]['allergens']

function paper(view: View, { restaurant, location, sections, language }: Printed): Html {
  const own = wordsLanguage(language)
  const w = words[own]
  const { allergens } = restaurant
  const columns = allergens.length
  const groups = optionGroups(restaurant, sections)

  const head = (title: string) =>
    html`<tr class="section"><th colspan="${columns + 1}" scope="rowgroup">${title}</th></tr>`
  const row = (title: string, declared: Declared) => {
    const presence = new Map(declared.map(each => [each.id, each.presence]))
    return html`<tr><th scope="row">${title}</th>${
      declared.length === 0
        ? html`<td colspan="${columns}" class="unknown">${w.unknown}</td>`
        : allergens.map(({ id }) => html`<td>${markOf(presence.get(id))}</td>`)
    }</tr>`
  }
  const mark = (presence: 'contains' | 'may_contain', text: string) =>
    html`<span class="mark ${presence}"></span><span class="sr">${text}</span>`
  const markOf = (presence: 'contains' | 'may_contain' | undefined) =>
    presence && mark(presence, presence === 'contains' ? w.contains : w.mayContain)

  return html`<article class="allergen-sheet">
<h2>${w.allergens}</h2>
<p>${[restaurant.site.title ?? view.siteTitle, location.title].join(' · ')} · <strong>${w.printedOn(formats(own, location.timezone).date(view.now))}</strong></p>
<p class="allergen-legend"><span><span class="mark contains"></span> ${w.contains}</span> <span><span class="mark may_contain"></span> ${w.mayContain}</span></p>
<p>${w.emptyCell}${columns < EU_ALLERGENS && ` ${w.fewerAllergens(columns)}`}</p>
<table><thead><tr><th scope="col">${w.dish}</th>${allergens.map(allergen => html`<th scope="col"><span>${inLanguage(allergenIn(allergen, language), language).title}</span></th>`)}</tr></thead>
${sections.map(
  ({ entry, dishes }) =>
    html`<tbody>${head(inLanguage(entry, language).title)}${dishes.map(dish => row([dish.entry.number, inLanguage(dish.entry, language).title].filter(Boolean).join(' '), dish.entry.allergens))}</tbody>`,
)}
${groups.map(group => {
  const title = w.option(inLanguage(group, language).title)
  const isKnown = group.modifiers.some(option => option.allergens.length > 0)
  // If nothing is stated about any option, as in a group such as "rare or well done", one row says so for the whole group.
  const rows = isKnown
    ? [head(title), group.modifiers.map(option => row(inLanguage(option, language).title, option.allergens))]
    : row(title, [])
  return html`<tbody>${rows}</tbody>`
})}</table></article>`
}

/** The option groups of the printed dishes with their published options. Their allergens add to those of the dish. */
function optionGroups({ modifier_groups }: RestaurantFile, sections: Printed['sections']) {
  const used = new Set(
    sections.flatMap(({ dishes }) => dishes.flatMap(({ entry }) => entry.modifier_groups.map(({ id }) => id))),
  )
  return modifier_groups
    .filter(({ id }) => used.has(id))
    .map(group => ({ ...group, modifiers: group.modifiers.filter(({ published }) => published) }))
    .filter(({ modifiers }) => modifiers.length > 0)
}
