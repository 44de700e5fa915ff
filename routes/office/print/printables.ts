import { html } from '../../html/html.ts'
import type { Handler, PersonCaller } from '../../http/handler.ts'
import { page } from '../../page/page.ts'
import { viewOf } from '../../page/view.ts'
import { words } from '../words/print.ts'

const printables = [
  { path: '/office/print/tables', title: 'tables', help: 'tablesHelp' },
  { path: '/office/print/menu', title: 'menu', help: 'menuHelp' },
  { path: '/office/print/allergens', title: 'allergens', help: 'allergensHelp' },
  { path: '/office/kitchen/pad', title: 'pad', help: 'padHelp' },
] as const

/** GET {basePath}/office/print: the list of what can be printed for guests. */
export const readPrintables: Handler<PersonCaller> = (app, call) => {
  const view = viewOf(app, call)
  const w = words[view.language]
  return page(view, {
    title: w.title,
    room: 'menu',
    body: html`<ul class="card rooms-list printables">${printables.map(
      ({ path, title, help }) =>
        html`<li><a href="${view.link(path)}">${w[title]}</a><p class="small quiet">${w[help]}</p></li>`,
    )}</ul>`,
  })
}
