import { type Language, languageNames, languages } from '../../../display/language.ts'
import type { CodedTable } from '../../../store/guests/table-codes.ts'
import type { LocationId } from '../../../store/terms/ids.ts'
import { isRefused } from '../../../store/terms/refusal.ts'
import { type Html, html } from '../../html/html.ts'
import type { Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import { refuse } from '../../http/reply.ts'
import { readForm } from '../../page/form.ts'
import { qrImage } from '../../page/qr-image.ts'
import { type View, viewOf } from '../../page/view.ts'
import { addressesOf } from '../addresses.ts'
import { locationOf } from '../menu/menu-state.ts'
import { words } from '../words/print.ts'
import { choice, locationChoice, sheetsPage } from './sheets.ts'

const here = '/office/print/tables'

/** The sizes of cards, with how many of them fill a sheet of A4. */
const sizes = { half: 2, card: 4, sticker: 8, small: 15 } as const
type Size = keyof typeof sizes

const LONGEST_LINE = 120

/** GET {basePath}/office/print/tables: cards or stickers for the tables of a location, to cut out. */
export const readTableCards: Handler<PersonCaller> = (app, call) => {
  const view = viewOf(app, call)
  const w = words[view.language]
  const query = queryOf(call.exchange.request)
  const location = locationOf(app, query)
  if (!location) return sheetsPage(view, withoutCards(w.tables, w.noLocation, view))

  const tables = app.store.tableCodes.list(location.id as LocationId)
  const withoutCode = tables.filter(({ code }) => code === null).length
  const addresses = addressesOf(app, call.exchange)
  const address = addresses.find(({ text }) => text === query.get('address')) ?? addresses[0]
  const size: Size = (Object.keys(sizes) as Size[]).find(each => each === query.get('size')) ?? 'card'
  const language = languages.find(each => each === query.get('language')) ?? view.language
  const line = (query.get('line') ?? '').trim().slice(0, LONGEST_LINE)
  const wanted = Number(query.get('table'))
  const table = tables.find(({ id }) => id === wanted)
  const printed = (table ? [table] : tables).filter(({ code }) => code !== null)
  const place = location.title === view.siteTitle ? view.siteTitle : `${view.siteTitle} · ${location.title}`

  return sheetsPage(view, {
    title: w.tables,
    path: here,
    language,
    choices: [
      locationChoice(app, view, location.id),
      choice(
        w.table,
        'table',
        [{ value: 0, text: w.allTables }, ...tables.map(({ id, title }) => ({ value: id, text: title }))],
        table?.id ?? 0,
      ),
      choice(
        w.size,
        'size',
        (Object.keys(sizes) as Size[]).map(each => ({ value: each, text: w[each] })),
        size,
      ),
      choice(
        w.address,
        'address',
        addresses.map(({ text, isOnlyHere }) => ({ value: text, text: isOnlyHere ? `${text} (${w.onlyHere})` : text })),
        address.text,
      ),
      choice(
        w.language,
        'language',
        languages.map(each => ({ value: each, text: languageNames[each] })),
        language,
      ),
      html`<div class="field"><label for="line">${w.line}</label><input id="line" name="line" value="${line}" maxlength="${LONGEST_LINE}" autocomplete="off" aria-describedby="line-help"><p class="help" id="line-help">${w.lineHelp}</p></div>`,
    ].flatMap(each => each ?? []),
    notes: [
      tables.length === 0 &&
        html`<p class="note"><span>${w.noTables}</span><a class="button" href="${view.link('/office/menu/file')}">${w.importMenu}</a></p>`,
      withoutCode > 0 &&
        html`<form class="note" method="post" action="${view.link(here)}"><input type="hidden" name="location" value="${location.id}"><span>${w.withoutCode(withoutCode)}</span><button class="${printed.length === 0 && 'primary'}">${w.makeCodes}</button></form>`,
      !location.published && html`<p class="note"><span>${w.notOnSale}</span></p>`,
      tables.length > 0 && reachNote(view, address),
    ],
    paper: printed.length > 0 ? cards(printed, { language, size, site: address.text, line, place }) : undefined,
  })
}

/** POST {basePath}/office/print/tables: makes codes for the tables that have none. */
export const makeTableCodes: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['location'] })
  if (!read.ok) return read.reply
  const location = app.store.restaurant().locations.find(({ id }) => String(id) === read.form.text('location'))
  if (!location) return refuse('BAD_REQUEST')
  const made = await app.writer.act(call.caller.actor, 'makeTableCodes', location.id as LocationId)
  return isRefused(made) ? refuse('BAD_REQUEST') : { kind: 'redirect', to: app.link(here, { location: location.id }) }
}

/** The page without any cards, and why. */
function withoutCards(title: string, text: string, view: View) {
  return {
    title,
    path: here,
    choices: [],
    notes: [html`<p class="card empty">${text}</p>`],
    paper: undefined,
    language: view.language,
  }
}

/** A warning about an address that not every phone can open; undefined: every phone can. */
function reachNote(view: View, { text, isOnlyHere }: { text: string; isOnlyHere: boolean }): Html | undefined {
  const w = words[view.language]
  if (isOnlyHere) return html`<p class="note bad"><span>${w.onlyHereHelp}</span></p>`
  return text.startsWith('http:') ? html`<p class="note"><span>${w.inNetwork}</span></p>` : undefined
}

interface Cards {
  language: Language
  size: Size
  /** The address of the site. */
  site: string
  /** A text of the restaurant's own; empty: none. */
  line: string
  place: string
}

function cards(tables: CodedTable[], { language, size, site, line, place }: Cards): Html {
  const w = words[language]
  const each = tables.map(({ title, code }) => {
    const address = `${site}/t/${code}`
    return html`<div class="table-card">${qrImage(address, w.qrOf(title))}
<div><p class="place">${place}</p><p class="table-name">${title}</p><p class="scan">${w.scan}</p>
${line !== '' && html`<p class="own-line">${line}</p>`}<p class="address">${w.orOpen} <strong>${site}<wbr>/t/${code}</strong></p></div></div>`
  })
  const count = sizes[size]
  const sheets = Array.from(
    { length: Math.ceil(each.length / count) },
    (_, sheet) =>
      html`<section class="sheet cards-${size}">${each.slice(sheet * count, (sheet + 1) * count)}</section>`,
  )
  return html`${sheets}`
}
