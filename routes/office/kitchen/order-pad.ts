import { formats } from '../../../display/formats.ts'
import { modeText } from '../../../display/terms.ts'
import type { LocationEntry } from '../../../store/restaurant-file/restaurant-file.ts'
import { type Html, html } from '../../html/html.ts'
import type { Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import { type View, viewOf } from '../../page/view.ts'
import { menuAt, priceOf } from '../menu/menu.ts'
import { locationOf } from '../menu/menu-state.ts'
import {
  choice,
  inLanguage,
  locationChoice,
  menuLanguage,
  printedMenu,
  sheetsPage,
  wordsLanguage,
} from '../print/sheets.ts'
import { words } from '../words/order-pad.ts'

const here = '/office/kitchen/pad'

const counts = [10, 20, 50, 100]
const LAST_NUMBER = 9999

// How many lines a list in three columns has on half a sheet of A4, and on a whole sheet with more room to write. A heading takes more
// than one line, and a long title two.
const LINES_OF_HALF = 57
const LINES_OF_ROOMY = 116
const HEADING_LINES = 1.7
const TITLE_LENGTH = 27

/** GET {basePath}/office/kitchen/pad: numbered order slips with today's menu, to write on when nothing else works. */
export const readOrderPad: Handler<PersonCaller> = (app, call) => {
  const view = viewOf(app, call)
  const w = words[view.language]
  const query = queryOf(call.exchange.request)
  const location = locationOf(app, query)
  const menu = location && menuAt(app, location.id)
  const { language, choice: languageChoice } = menuLanguage(view, app.store.restaurant(), query)
  const sections = menu ? sectionsOf(printedMenu(menu), language) : []
  const count = counts.find(each => String(each) === query.get('count')) ?? 20
  const wanted = Number(query.get('from') ?? 1)
  const first = Number.isInteger(wanted) && wanted >= 1 && wanted <= LAST_NUMBER ? wanted : 1
  const slip = location && { view, location, sections, language }
  return sheetsPage(view, {
    title: w.title,
    path: here,
    language,
    choices: [
      location && locationChoice(app, view, location.id),
      languageChoice,
      choice(
        w.count,
        'count',
        counts.map(each => ({ value: each, text: String(each) })),
        count,
      ),
      html`<div class="field"><label for="from">${w.from}</label><input id="from" name="from" value="${first}" inputmode="numeric" maxlength="4" autocomplete="off"></div>`,
    ].flatMap(each => each ?? []),
    notes: [
      html`<p class="quiet">${w.help}</p>`,
      sections.length === 0 && html`<p class="card empty">${location ? w.emptyMenu : w.noLocation}</p>`,
    ],
    paper: slip && sections.length > 0 ? sheets(slip, first, count) : undefined,
  })
}

/** What can be written on a slip: each dish, or each of its sizes. */
interface Section {
  title: string
  entries: { title: string; price: number }[]
}

interface Slip {
  view: View
  location: LocationEntry
  sections: Section[]
  language: string
}

/** The dishes that can be ordered today. */
function sectionsOf(menu: ReturnType<typeof printedMenu>, language: string): Section[] {
  const sections = menu.map(({ entry, dishes }) => ({
    title: inLanguage(entry, language).title,
    entries: dishes
      .filter(({ off }) => off.length === 0)
      .flatMap(dish => {
        const name = inLanguage(dish.entry, language).title
        const title = dish.entry.number === null ? name : `${dish.entry.number} ${name}`
        const sizes = dish.sizes.filter(({ off }) => off.length === 0)
        if (dish.sizes.length === 0) return [{ title, price: dish.price }]
        return sizes.map(size => ({ title: `${title}, ${inLanguage(size.entry, language).title}`, price: size.price }))
      }),
  }))
  return sections.filter(({ entries }) => entries.length > 0)
}

function sheets(given: Slip, first: number, count: number): Html {
  let lines = 0
  for (const { entries } of given.sections) {
    lines += HEADING_LINES
    for (const { title } of entries) lines += Math.ceil(title.length / TITLE_LENGTH)
  }
  const perSheet = lines <= LINES_OF_HALF ? 2 : 1
  const form = perSheet === 2 ? 'halves' : lines <= LINES_OF_ROOMY ? 'whole roomy' : 'whole'
  const numbers = Array.from({ length: count }, (_, index) => first + index)
  // All slips are the same but for their number.
  const list = menuList(given)
  const made = numbers.map(number => slip(given, list, number))
  const grouped = Array.from({ length: Math.ceil(count / perSheet) }, (_, index) =>
    made.slice(index * perSheet, (index + 1) * perSheet),
  )
  return html`${grouped.map(group => html`<section class="pad-sheet ${form}">${group}</section>`)}`
}

function menuList({ view, location, sections, language }: Slip): Html {
  const own = wordsLanguage(language)
  const money = priceOf({ ...view, formats: formats(own, location.timezone) }, location.currency)
  return html`<div class="pad-menu">${sections.map(
    ({ title, entries }) =>
      html`<section><h2>${title}</h2>${entries.map(entry => html`<p><span class="box"></span><span>${entry.title}</span><span class="price">${money(entry.price)}</span></p>`)}</section>`,
  )}</div>`
}

function slip({ view, location, language }: Slip, list: Html, number: number): Html {
  const own = wordsLanguage(language)
  const w = words[own]
  const place = location.title === view.siteTitle ? view.siteTitle : `${view.siteTitle} · ${location.title}`
  const line = (label: string) => html`<span class="write">${label}</span>`
  return html`<article class="pad-slip">
<header><p><strong>${place}</strong><br>${w.date} <span class="blank"></span></p><p class="pad-number">${w.number} ${String(number).padStart(3, '0')}</p></header>
<p class="pad-facts">${line(w.table)}${line(w.name)}${line(w.time)}</p>
<p class="pad-modes">${location.service_modes.filter(mode => mode !== 'qr').map(mode => html`<span><span class="box"></span> ${modeText(mode, own)}</span>`)}</p>
${list}
<p class="pad-facts">${line(w.notes)}</p>
<p class="pad-facts"><span class="write wide"></span>${line(w.total)}</p>
</article>`
}
