import { allergenIn } from '../../../display/allergen.ts'
import { formats } from '../../../display/formats.ts'
import type { Language } from '../../../display/language.ts'
import { modeText } from '../../../display/terms.ts'
import type { LocationEntry, RestaurantFile } from '../../../store/restaurant-file/restaurant-file.ts'
import { type Html, html } from '../../html/html.ts'
import type { Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import { type View, viewOf } from '../../page/view.ts'
import { menuAt, priceOf } from '../menu/menu.ts'
import { locationOf } from '../menu/menu-state.ts'
import { words } from '../words/print.ts'
import { inLanguage, locationChoice, menuLanguage, printedMenu, sheetsPage, wordsLanguage } from './sheets.ts'

const here = '/office/print/menu'

/** GET {basePath}/office/print/menu: the menu of a location, to print in one of its languages. */
export const readPaperMenu: Handler<PersonCaller> = (app, call) => {
  const view = viewOf(app, call)
  const w = words[view.language]
  const query = queryOf(call.exchange.request)
  const location = locationOf(app, query)
  const menu = location && menuAt(app, location.id)
  const restaurant = app.store.restaurant()
  const { language, choice } = menuLanguage(view, restaurant, query)
  const sections = menu ? printedMenu(menu) : []
  return sheetsPage(view, {
    title: w.menu,
    path: here,
    language,
    choices: [location && locationChoice(app, view, location.id), choice].flatMap(each => each ?? []),
    notes: [sections.length === 0 && html`<p class="card empty">${location ? w.emptyMenu : w.noLocation}</p>`],
    paper: location && sections.length > 0 ? paper(view, { restaurant, location, sections, language }) : undefined,
  })
}

interface Printed {
  restaurant: RestaurantFile
  location: LocationEntry
  sections: ReturnType<typeof printedMenu>
  language: string
}

function paper(view: View, { restaurant, location, sections, language }: Printed): Html {
  const own = wordsLanguage(language)
  const written = { ...view, formats: formats(own, location.timezone) }
  const money = priceOf(written, location.currency)
  // Numbers instead of titles, so that a dish fits on one line.
  const numbers = new Map(restaurant.allergens.map(({ id }, index) => [id, index + 1]))
  const labels = new Map(restaurant.labels.map(label => [label.id, inLanguage(label, language).title]))
  const used = new Set(
    sections.flatMap(({ dishes }) => dishes.flatMap(({ entry }) => entry.allergens.map(({ id }) => id))),
  )

  const dish = ({ entry, price, sizes }: Printed['sections'][number]['dishes'][number]) => {
    const { title, description } = inLanguage(entry, language)
    const marks = entry.allergens.map(({ id, presence }) => {
      const number = String(numbers.get(id) ?? '')
      return presence === 'contains' ? number : `(${number})`
    })
    const own = entry.labels.flatMap(id => labels.get(id) ?? [])
    return html`<div class="printed-dish keep"><p class="name">${entry.number !== null && html`<span class="number">${entry.number}</span> `}${title}${marks.length > 0 && html` <small>${marks.join(' ')}</small>`}</p>
${sizes.length === 0 && html`<p class="price">${money(price)}</p>`}
${description !== null && html`<p class="about">${description}</p>`}
${own.length > 0 && html`<p class="about labels">${own.join(' · ')}</p>`}
${sizes.map(size => html`<p class="size">${inLanguage(size.entry, language).title}</p><p class="price">${money(size.price)}</p>`)}</div>`
  }

  return html`<article class="paper-menu">
<header><h2>${restaurant.site.title ?? view.siteTitle}</h2><p>${[location.title, location.address, location.phone].filter(Boolean).join(' · ')}</p></header>
<div class="menu-columns">${sections.map(({ entry, dishes }) => {
    const { title, description } = inLanguage(entry, language)
    return html`<section><h3>${title}</h3>${description !== null && html`<p class="about">${description}</p>`}${dishes.map(dish)}</section>`
  })}</div>
<footer>
${
  used.size > 0 &&
  html`<p>${words[own].allergenNumbers} ${restaurant.allergens
    .filter(({ id }) => used.has(id))
    .map(allergen => `${numbers.get(allergen.id)} ${inLanguage(allergenIn(allergen, language), language).title}`)
    .join(', ')}.</p>`
}
<p>${[...chargesText(written, location, own), words[own].printedOn(written.formats.date(view.now))].join(' ')}</p>
</footer></article>`
}

/** What the prices include: tax, and service charge in some service modes. */
function chargesText({ formats }: View, location: LocationEntry, language: Language): string[] {
  const w = words[language]
  const { service_charge_rate: rate, service_charge_modes: modes } = location
  const listed = formats.list(modes.map(mode => modeText(mode, language)))
  return [
    location.prices_include_tax ? w.taxIncluded : w.taxAdded,
    ...(rate > 0 && modes.length > 0 ? [w.serviceCharge(formats.percent(rate / 1_000_000), listed)] : []),
  ]
}
