import type { MenuEdit } from '../../../store/catalogue/edit.ts'
import { isRefused } from '../../../store/terms/refusal.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import type { Reply } from '../../http/reply.ts'
import { readForm } from '../../page/form.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { words } from '../words/menu-order.ts'
import { doneNote } from './menu-state.ts'

/** GET {basePath}/office/menu/order: the sections and dishes, to move them. */
export const readMenuOrder: Handler<PersonCaller> = (app, call) => orderPage(app, call, false)

/** POST {basePath}/office/menu/order: moves a section or a dish before another one, or to the end. */
export const moveInMenu: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['record', 'id', 'before', 'section'] })
  if (!read.ok) return read.reply
  const { text } = read.form
  const id = Number(text('id'))
  const before = text('before') === '' ? null : Number(text('before'))
  const edit: MenuEdit =
    text('record') === 'category'
      ? { edit: 'move', record: 'category', id, before }
      : { edit: 'move', record: 'item', id, category: Number(text('section')), before }
  const done = await app.writer.act(call.caller.actor, 'editMenu', [edit])
  app.store.refresh()
  if (isRefused(done)) return orderPage(app, call, true)
  const saved = done.changes.length > 0 ? app.store.lastMenuChange()?.at : null
  return { kind: 'redirect', to: app.link('/office/menu/order', { saved }, `${edit.record}-${id}`) }
}

function orderPage(app: App, call: Call<PersonCaller>, isGone: boolean): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  const { categories } = app.store.restaurant()
  return page(view, {
    title: w.title,
    room: 'menu',
    status: isGone ? 409 : 200,
    aside: html`<a class="button" href="${view.link('/office/menu')}">${w.back}</a>`,
    body: html`${doneNote(app, view, queryOf(call.exchange.request), '/office/menu/order')}
${isGone && html`<p class="note bad" role="alert">${w.gone}</p>`}
${
  categories.length === 0
    ? html`<p class="card empty">${w.nothing}</p>`
    : html`<p class="quiet">${w.help}</p>
<form method="post" action="${view.link('/office/menu/order')}" id="drop" hidden=""><input type="hidden" name="record"><input type="hidden" name="id"><input type="hidden" name="before"><input type="hidden" name="section"></form>
<ol class="stack" data-drag="category">${categories.map(
        ({ id, title, items }, index) => html`<li class="card order-section" id="category-${id}" data-id="${id}">
<div class="order-row"><h2>${title}</h2>${moves(view, { record: 'category', id, section: id, title, list: categories, index })}</div>
<ol data-drag="item" data-section="${id}">${items.map(
          (item, at) =>
            html`<li class="order-row" id="item-${item.id}" data-id="${item.id}"><span>${item.title}</span>${moves(view, { record: 'item', id: item.id, section: id, title: item.title, list: items, index: at })}</li>`,
        )}</ol></li>`,
      )}</ol>`
}`,
  })
}

interface Moved {
  record: 'category' | 'item'
  id: number
  /** The section of a dish. */
  section: number
  title: string
  list: { id: number }[]
  index: number
}

/** The buttons that move an entry by one place. */
function moves(view: View, { record, id, section, title, list, index }: Moved): Html {
  const w = words[view.language]
  const button = (label: string, arrow: string, before: number | undefined | null) =>
    html`<form method="post" action="${view.link('/office/menu/order')}"><input type="hidden" name="record" value="${record}"><input type="hidden" name="id" value="${id}"><input type="hidden" name="section" value="${section}"><input type="hidden" name="before" value="${before ?? ''}">
<button disabled="${before === undefined}"><span aria-hidden="true">${arrow}</span><span class="sr">${label}: ${title}</span></button></form>`
  const next = index + 1 < list.length ? (list[index + 2]?.id ?? null) : undefined
  return html`<div class="actions">${button(w.up, '↑', list[index - 1]?.id)}${button(w.down, '↓', next)}</div>`
}
