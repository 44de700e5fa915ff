import { languageNames } from '../../../display/language.ts'
import { parsePrice, priceText } from '../../../display/price.ts'
import { refusalText } from '../../../display/refusal.ts'
import type { Members } from '../../../store/catalogue/edit.ts'
import type { RestaurantFile } from '../../../store/restaurant-file/restaurant-file.ts'
import type { Refusal } from '../../../store/terms/refusal.ts'
import { type Html, html } from '../../html/html.ts'
import type { View } from '../../page/view.ts'
import { words } from '../words/dish.ts'
import { textArea, textField } from './menu-fields.ts'

// What the forms of dishes, sections and option groups have in common. A form holds members of the restaurant file; what
// cannot be read as a number stays the text that was typed, so that the check of the edit refuses it at its place.

/** A number, or the text that was typed instead of one. */
export type Figure = number | string

/** Texts in other languages, by language. */
export type Texts = Record<string, { title?: string | null; description?: string | null }>

/** The presence of allergens, as in the restaurant file. */
export type Allergens = { id: number; presence: string }[]

export const noText = (text: string): string | null => (text.trim() === '' ? null : text.trim())

/** A price in major units. */
export function priceFigure(text: string): Figure {
  const milli = parsePrice(text)
  return milli === undefined ? text : milli / 1000
}

export function wholeFigure(text: string): Figure {
  return /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : text
}

export function optionalFigure(text: string): Figure | null {
  return text.trim() === '' ? null : wholeFigure(text)
}

/** A price as it stands in a field. */
export function figureText(view: View, figure: Figure): string {
  return typeof figure === 'string' ? figure : priceText(Math.round(figure * 1000), 2, view.language)
}

/** The entries in the order that these ids have now, so that only real changes count as such; new ones at the end. */
export function inOrderOf<E>(now: readonly number[], entries: E[], idOf: (entry: E) => number): E[] {
  const place = (entry: E) => (now.includes(idOf(entry)) ? now.indexOf(idOf(entry)) : now.length)
  return entries.toSorted((a, b) => place(a) - place(b))
}

/** The value that a hidden field keeps of what the person saw; anything else than an object is as good as nothing. */
export function parseSeen(text: string): Members {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}

/** Why an edit was refused, by the places of the form. */
export interface Wrong {
  /** What is wrong with the field of this place, such as "title" or "variations/0/price". */
  at(place: string): string | undefined
  /** What belongs to no field of the form. */
  elsewhere: string[]
  isClash: boolean
}

export const nothingWrong: Wrong = { at: () => undefined, elsewhere: [], isClash: false }

/** The reasons of a refusal beside their fields. `known` are the places that the form shows. */
export function wrongIn(
  view: View,
  refusal: Refusal,
  known: (place: string) => boolean,
  shown: (now: unknown, field: string) => string = now => nowText(view, now),
): Wrong {
  const w = words[view.language]
  const reasons = new Map<string, string>()
  const elsewhere: string[] = []
  if (refusal.refused === 'changed meanwhile') {
    for (const { field, now } of refusal.fields) reasons.set(field, w.nowIs(shown(now, field)))
  } else if (refusal.refused !== 'edit does not fit') elsewhere.push(refusalText(refusal, view.language))
  else {
    for (const { field, message, title } of refusal.problems) {
      if (field !== null && known(field)) reasons.set(field, reasonText(view, field, message))
      else elsewhere.push(title === undefined ? message : `${title}: ${message}`)
    }
  }
  return { at: place => reasons.get(place), elsewhere, isClash: refusal.refused === 'changed meanwhile' }
}

function reasonText(view: View, field: string, message: string): string {
  const w = words[view.language]
  const last = field.split('/').at(-1) ?? ''
  if (last === 'title') return w.wrongTitle
  if (last === 'price') return w.wrongPrice
  return view.language === 'en' ? `${message.charAt(0).toUpperCase()}${message.slice(1)}.` : w.wrongNumber
}

/** What somebody else has written meanwhile. */
function nowText(view: View, now: unknown): string {
  const w = words[view.language]
  if (now === null || now === '') return w.empty
  return typeof now === 'string' || typeof now === 'number' ? String(now) : w.changedToo
}

/** What happened to the form as a whole, above it. */
export function formNote(view: View, wrong: Wrong): Html | undefined {
  const w = words[view.language]
  if (wrong === nothingWrong) return undefined
  return html`<div class="note bad" role="alert"><p>${wrong.isClash ? w.changedMeanwhile : w.notSaved}</p>
${wrong.elsewhere.length > 0 && html`<ul>${wrong.elsewhere.map(reason => html`<li>${reason}</li>`)}</ul>`}</div>`
}

/** The languages of the translations: all but that of the titles themselves. */
export function otherLanguages({ site }: RestaurantFile): string[] {
  return site.languages.slice(1)
}

/** The name of a language of the menu. */
export function languageName(view: View, language: string): string {
  const known = Object.entries(languageNames).find(([code]) => code === language)
  return known?.[1] ?? new Intl.DisplayNames([view.language], { type: 'language' }).of(language) ?? language
}

/** The fields of the translations of a title and a description. */
export function translationFields(view: View, languages: string[], texts: Texts, wrong: Wrong): Html | undefined {
  if (languages.length === 0) return undefined
  const w = words[view.language]
  return html`<section class="card stack"><h2>${w.translations}</h2><div class="fields two">${languages.map(
    language => {
      const name = languageName(view, language)
      const text = texts[language] ?? {}
      return html`<div class="stack tight">${textField({ name: `title-${language}`, label: w.inLanguage(w.title, name), value: text.title ?? '', wrong: wrong.at(`translations/${language}/title`) })}
${textArea({ name: `description-${language}`, label: w.inLanguage(w.description, name), value: text.description ?? '', wrong: wrong.at(`translations/${language}/description`) })}</div>`
    },
  )}</div></section>`
}

/** The translations of a form; languages without any text are left out. */
export function readTexts(
  languages: string[],
  textOf: (language: string, member: 'title' | 'description') => string | undefined,
): Texts {
  const entries = languages.flatMap(language => {
    const title = textOf(language, 'title')
    const description = textOf(language, 'description')
    const texts = {
      ...(title !== undefined && { title: noText(title) }),
      ...(description !== undefined && { description: noText(description) }),
    }
    return Object.values(texts).some(text => text !== null) ? [[language, texts] as const] : []
  })
  return Object.fromEntries(entries)
}

/** A choice of presence for each allergen of the restaurant. */
export function allergenFields(view: View, { allergens }: RestaurantFile, declared: Allergens, prefix: string): Html {
  const w = words[view.language]
  const presence = new Map(declared.map(each => [each.id, each.presence]))
  return html`<div class="allergens">${allergens.map(
    ({ id, title }) => html`<div class="field"><label for="${prefix}${id}">${title}</label>
<select id="${prefix}${id}" name="${prefix}${id}">${[
      ['', w.none],
      ['contains', w.contains],
      ['may_contain', w.mayContain],
    ].map(
      ([value, label]) =>
        html`<option value="${value ?? ''}" selected="${(presence.get(id) ?? '') === value}">${label}</option>`,
    )}</select></div>`,
  )}</div>`
}

export function readAllergens(fields: Map<string, string>, now: readonly { id: number }[]): Allergens {
  const declared = [...fields].flatMap(([id, presence]) => (presence === '' ? [] : [{ id: Number(id), presence }]))
  return inOrderOf(
    now.map(({ id }) => id),
    declared,
    ({ id }) => id,
  )
}
