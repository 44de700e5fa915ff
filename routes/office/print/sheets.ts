import { type Language, languages } from '../../../display/language.ts'
import type { StaffMenu } from '../../../store/catalogue/staff-menu.ts'
import type { RestaurantFile } from '../../../store/restaurant-file/restaurant-file.ts'
import { type Html, html } from '../../html/html.ts'
import type { App } from '../../http/handler.ts'
import type { Reply } from '../../http/reply.ts'
import { documentOf } from '../../page/page.ts'
import type { View } from '../../page/view.ts'
import { languageName } from '../menu/menu-form.ts'
import { words } from '../words/print.ts'

export interface Sheets {
  title: string
  /** The path of the page, to which the choices are sent. */
  path: string
  /** The fields of the choices. */
  choices: Html[]
  /** What the person should know before printing. */
  notes?: (Html | false | undefined)[]
  /** What is printed; undefined: there is nothing to print, and no button for it. */
  paper: Html | undefined
  /** The language of the paper. */
  language: string
}

/** A page with something to print: the choices, then a preview of the paper. */
export function sheetsPage(view: View, { title, path, choices, notes = [], paper, language }: Sheets): Reply {
  const w = words[view.language]
  const body = html`<body class="printable"><main>
<header class="no-print">
<p class="small"><a href="${view.link('/office/print')}">${w.title}</a></p>
<div class="head"><h1>${title}</h1>${paper && html`<button class="primary" type="button" data-print="" hidden="">${w.print}</button>`}</div>
${choices.length > 0 && html`<form class="card stack" method="get" action="${view.link(path)}"><div class="fields two">${choices}</div><div><button>${w.show}</button></div></form>`}
${notes}
${paper && html`<p class="small quiet">${w.printHelp}</p>`}
</header>
${paper && html`<div class="scroll" tabindex="0" role="region" aria-label="${w.preview}"><div class="paper" lang="${language}">${paper}</div></div>`}
</main></body>`
  return { kind: 'html', status: 200, html: documentOf(view, title, body) }
}

/** A field to choose one of some values; undefined if there are fewer than two. */
export function choice(
  label: string,
  name: string,
  options: { value: string | number; text: string }[],
  chosen: string | number,
): Html | undefined {
  if (options.length < 2) return undefined
  return html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}">${options.map(
    ({ value, text }) => html`<option value="${value}" selected="${value === chosen}">${text}</option>`,
  )}</select></div>`
}

/** The field to choose a location; undefined if there is only one. */
export function locationChoice(app: App, view: View, chosen: number): Html | undefined {
  const options = app.store.restaurant().locations.map(({ id, title }) => ({ value: id, text: title }))
  return choice(words[view.language].location, 'location', options, chosen)
}

/** The language of the menu that the query names, by default that of the untranslated titles, and the field to choose another one. */
export function menuLanguage(
  view: View,
  { site }: RestaurantFile,
  query: URLSearchParams,
): { language: string; choice: Html | undefined } {
  const { languages: all } = site
  const language = all.find(each => each === query.get('language')) ?? all[0] ?? view.language
  const options = all.map(each => ({ value: each, text: languageName(view, each) }))
  return { language, choice: choice(words[view.language].language, 'language', options, language) }
}

/** The language of the pages' own words on a paper in any language: the same one, or English if the pages do not have it. */
export function wordsLanguage(language: string): Language {
  return languages.find(each => each === language.split('-')[0]) ?? 'en'
}

interface Translated {
  title: string
  description?: string | null
  translations: Record<string, { title?: string | null; description?: string | null }>
}

/** A title and a description in a language, or as they are where they are not translated. */
export function inLanguage({ title, description, translations }: Translated, language: string) {
  const translated = translations[language]
  return { title: translated?.title ?? title, description: translated?.description ?? description ?? null }
}

/**
 * The menu of a location as it is printed: everything that is published and offered there. What is only off the menu for now is
 * printed, too.
 */
export function printedMenu({ categories }: StaffMenu) {
  const sections = categories.map(({ entry, dishes }) => ({
    entry,
    dishes: dishes
      .filter(({ off }) => !off.some(({ why }) => isLasting(why)))
      .map(dish => ({ ...dish, sizes: dish.sizes.filter(size => size.entry.published) })),
  }))
  return sections.filter(({ dishes }) => dishes.length > 0)
}

function isLasting(why: string): boolean {
  return why === 'not published' || why === 'section not published' || why === 'not offered here'
}
