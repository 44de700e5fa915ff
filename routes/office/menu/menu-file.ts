import { randomUUID } from 'node:crypto'
import { changeName, detailsText } from '../../../display/changes.ts'
import { findingText } from '../../../display/finding.ts'
import type { ReadMenu } from '../../../store/menu-upload.ts'
import type { Change } from '../../../store/restaurant-file/changes.ts'
import { type WayToImport, waysToImport } from '../../../store/restaurant-file/merge.ts'
import { writeRestaurantFile } from '../../../store/restaurant-file/restaurant-file.ts'
import type { Finding } from '../../../store/terms/finding.ts'
import { isRefused } from '../../../store/terms/refusal.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import type { Reply } from '../../http/reply.ts'
import { readForm } from '../../page/form.ts'
import { page } from '../../page/page.ts'
import { readUpload } from '../../page/upload.ts'
import { type View, viewOf } from '../../page/view.ts'
import { words } from '../words/menu-file.ts'
import { findingsOf } from './menu.ts'
import { doneNote } from './menu-state.ts'

const MEGABYTE = 1024 * 1024
const LARGEST_FILE = 8 * MEGABYTE
const MOST_SHOWN = 200

// Files between their preview and their import. Few and short, because they are in memory; a person can choose theirs again.
const MOST_KEPT = 3
const KEPT_MS = 15 * 60_000
type Kept = Map<string, { bytes: Buffer; how: WayToImport; since: number }>
const keptFiles = new WeakMap<App, Kept>()

/** GET {basePath}/office/menu/file: import, export, the last change, and what the check of the menu finds. */
export const readMenuFile: Handler<PersonCaller> = (app, call) => filePage(app, call, {})

/** GET {basePath}/office/menu/export: the whole restaurant as a restaurant file. */
export const exportMenu: Handler<PersonCaller> = async app => {
  const restaurant = await app.reader.read('exportCatalogue')
  const text = `${JSON.stringify(writeRestaurantFile(restaurant), null, 2)}\n`
  return { kind: 'bytes', type: 'application/json', bytes: Buffer.from(text), fileName: 'restaurant.json' }
}

/** POST {basePath}/office/menu/file: shows what the import of a file would change. */
export const previewMenuFile: Handler<PersonCaller> = async (app, call) => {
  const view = viewOf(app, call)
  const w = words[view.language]
  const read = await readUpload(call, LARGEST_FILE + MEGABYTE)
  if (!read.ok) {
    if (read.reason === 'gone') return undefined
    return filePage(app, call, {
      wrong: read.reason === 'too large' ? w.tooLarge(LARGEST_FILE / MEGABYTE) : w.notReadable,
    })
  }
  const { file, text } = read.upload
  const how = waysToImport.find(way => way === text('how')) ?? 'replace'
  if (!file) return filePage(app, call, { how, wrong: w.noFile })
  if (file.bytes.length > LARGEST_FILE) return filePage(app, call, { how, wrong: w.tooLarge(LARGEST_FILE / MEGABYTE) })
  const menu = await readMenu(app, file.bytes, how)
  if (!menu.ok) return filePage(app, call, { how, problems: menu.problems })
  return previewPage(view, menu, keep(app, file.bytes, how))
}

/** POST {basePath}/office/menu/import: imports a file that was previewed. */
export const importMenuFile: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['file'] })
  if (!read.ok) return read.reply
  const view = viewOf(app, call)
  const id = read.form.text('file')
  const upload = keptOf(app).get(id)
  keptOf(app).delete(id)
  if (!upload) return filePage(app, call, { wrong: words[view.language].expired })
  const menu = await readMenu(app, upload.bytes, upload.how)
  if (!menu.ok) return filePage(app, call, { how: upload.how, problems: menu.problems })
  const done = await app.writer.act(call.caller.actor, 'importCatalogue', menu.file, upload.how)
  app.store.refresh()
  if (isRefused(done)) return filePage(app, call, { how: upload.how, problems: done.problems })
  const saved = done.changes.length > 0 ? app.store.lastMenuChange()?.at : null
  return { kind: 'redirect', to: app.link('/office/menu/file', { saved }) }
}

function readMenu(app: App, bytes: Buffer, how: WayToImport): Promise<ReadMenu> {
  return app.reader.read('readMenuUpload', { bytes, how, siteRoot: app.siteRoot, now: app.clock.now() })
}

/** Keeps a file until its import, and returns the id that stands for it. */
function keep(app: App, bytes: Buffer, how: WayToImport): string {
  const kept = keptOf(app)
  const now = app.clock.now()
  for (const [id, { since }] of kept) if (now - since > KEPT_MS) kept.delete(id)
  const [oldest] = kept.keys()
  if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest)
  const id = randomUUID()
  kept.set(id, { bytes, how, since: now })
  return id
}

function keptOf(app: App): Kept {
  const kept = keptFiles.get(app) ?? new Map()
  keptFiles.set(app, kept)
  return kept
}

interface Shown {
  how?: WayToImport
  /** Why the file was not even read. */
  wrong?: string
  problems?: Finding[]
}

function filePage(app: App, call: Call<PersonCaller>, { how = 'replace', wrong, problems }: Shown): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  const last = app.store.lastMenuChange()
  const found = findingsOf(app)
  const ways = [
    ['replace', w.replace],
    ['prices', w.prices],
    ['add', w.add],
  ] as const
  return page(view, {
    title: w.title,
    room: 'menu',
    status: wrong !== undefined || problems ? 422 : 200,
    aside: html`<a class="button" href="${view.link('/office/menu')}">${w.back}</a>`,
    body: html`${doneNote(app, view, queryOf(call.exchange.request), '/office/menu/file')}
${problems && html`<section class="note bad" role="alert"><div><p>${w.problems(problems.length)}</p>${findingList(view, problems)}</div></section>`}
<div class="columns">
<section class="card stack"><h2>${w.import}</h2><p class="quiet small">${w.importHelp}</p>
<form method="post" action="${view.link('/office/menu/file')}" enctype="multipart/form-data" class="stack">
<div class="field"><label for="file">${w.file}</label><input id="file" type="file" name="file" aria-invalid="${wrong !== undefined && 'true'}" aria-describedby="${wrong !== undefined && 'file-wrong'}">
${wrong !== undefined && html`<span class="wrong" id="file-wrong" role="alert">${wrong}</span>`}</div>
<fieldset class="field"><legend>${w.how}</legend>${ways.map(
      ([value, label]) =>
        html`<label class="choice"><input type="radio" name="how" value="${value}" checked="${value === how}">${label}</label>`,
    )}</fieldset>
<button class="button primary">${w.look}</button></form></section>
<div class="stack">
<section class="card stack tight"><h2>${w.export}</h2><p class="quiet small">${w.exportHelp}</p>
<p><a class="button" href="${view.link('/office/menu/export')}">${w.download}</a></p></section>
<section class="card stack tight"><h2>${w.lastChange}</h2>${
      last
        ? html`<p>${w.changedBy(last.actor, view.formats.dateTime(last.at))}</p>
<form method="post" action="${view.link('/office/menu/undo')}"><input type="hidden" name="at" value="${last.at}"><input type="hidden" name="back" value="/office/menu/file"><button>${w.undo}</button></form>`
        : html`<p class="quiet">${w.noChange}</p>`
    }</section></div></div>
<section class="card stack tight" id="check"><h2>${w.check}</h2>${found.length === 0 ? html`<p class="state done">${w.inOrder}</p>` : findingList(view, found)}</section>`,
  })
}

function previewPage(view: View, { changes, warnings, converted }: ReadMenu & { ok: true }, file: string): Reply {
  const w = words[view.language]
  return page(view, {
    title: w.preview,
    room: 'menu',
    aside: html`<a class="button" href="${view.link('/office/menu/file')}">${w.another}</a>`,
    body: html`<p class="note ${changes.length === 0 ? 'done' : ''}">${changes.length === 0 ? w.nothingChanges : w.changes(changes.length)}</p>
${changes.length > 0 && html`<form method="post" action="${view.link('/office/menu/import')}"><input type="hidden" name="file" value="${file}"><button class="button primary">${w.importNow}</button></form>`}
${changes.length > 0 && changeTable(view, changes)}
${warnings.length > 0 && html`<section class="card stack tight"><h2>${w.warnings}</h2>${findingList(view, warnings)}</section>`}
${
  converted &&
  converted.unknown.length > 0 &&
  html`<section class="card stack tight"><h2>${w.unknown}</h2>${shortList(
    view,
    converted.unknown.map(({ place, message }) => `${place}: ${message}`),
  )}</section>`
}`,
  })
}

function changeTable(view: View, changes: Change[]): Html {
  const w = words[view.language]
  const rows = changes.slice(0, MOST_SHOWN).map(change => {
    const title = change.of === null ? change.title : `${change.title} (${change.of})`
    return html`<tr><td>${title}</td><td>${changeName(change, view.language)}</td><td class="path">${detailsText(change, view.language)}</td></tr>`
  })
  return html`<section class="card list"><table class="cards"><thead><tr><th>${w.name}</th><th>${w.what}</th><th>${w.details}</th></tr></thead>
<tbody>${rows}</tbody></table>${changes.length > MOST_SHOWN && html`<p class="empty">${w.andMore(changes.length - MOST_SHOWN)}</p>`}</section>`
}

function findingList(view: View, findings: Finding[]): Html {
  return shortList(view, findings.map(findingText))
}

function shortList(view: View, texts: string[]): Html {
  const more = texts.length - MOST_SHOWN
  return html`<ul class="findings">${texts.slice(0, MOST_SHOWN).map(text => html`<li class="path">${text}</li>`)}</ul>${more > 0 && html`<p class="quiet">${words[view.language].andMore(more)}</p>`}`
}
