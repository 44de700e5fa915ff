import { refusalText } from '../../../display/refusal.ts'
import { isRefused } from '../../../store/terms/refusal.ts'
import { html } from '../../html/html.ts'
import type { Handler, PersonCaller } from '../../http/handler.ts'
import { readForm } from '../../page/form.ts'
import { page } from '../../page/page.ts'
import { viewOf } from '../../page/view.ts'
import { words } from '../words/menu.ts'

const places = ['/office/menu', '/office/menu/prices', '/office/menu/order', '/office/menu/file'] as const

/** POST {basePath}/office/menu/undo: undoes the last change of the menu, if it is the one that the page shows. */
export const undoMenuChange: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['at', 'back'] })
  if (!read.ok) return read.reply
  const undone = await app.writer.act(call.caller.actor, 'undoImport', Number(read.form.text('at')))
  const wanted = new URL(read.form.text('back') || '/', 'http://site')
  const back = places.find(place => place === wanted.pathname) ?? '/office/menu'
  const location = wanted.searchParams.get('location')
  if (!isRefused(undone)) return { kind: 'redirect', to: app.link(back, { location, undone: 1 }) }
  const view = viewOf(app, call)
  const w = words[view.language]
  const why =
    undone.refused === 'undone first'
      ? w.undoneFirst(undone.actor)
      : undone.refused === 'nothing to undo'
        ? w.nothingToUndo
        : refusalText(undone, view.language)
  return page(view, {
    title: w.undo,
    room: 'menu',
    status: 409,
    body: html`<p class="note bad" role="alert">${why}</p>
<p><a class="button" href="${view.link(back, { location })}">${w.back}</a></p>`,
  })
}
