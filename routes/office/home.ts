import { languages } from '../../display/language.ts'
import { deviceOf, personOf } from '../access/caller.ts'
import { html } from '../html/html.ts'
import type { App, Handler } from '../http/handler.ts'
import { queryOf } from '../http/head.ts'
import type { Exchange } from '../http/reply.ts'
import { readForm } from '../page/form.ts'
import { languageChoice, page, roomsOf } from '../page/page.ts'
import { viewOf } from '../page/view.ts'
import { words } from '../page/words.ts'
import { attention } from './attention.ts'
import { words as homeWords } from './words/home.ts'

/** GET {basePath}/: leads to what is set up: the first owner, the office, a device's own page, or the log-in. */
export const start: Handler = (app, { exchange }) => ({ kind: 'redirect', to: app.link(startOf(app, exchange)) })

function startOf(app: App, exchange: Exchange): string {
  if (!app.store.staff.hasOwner()) return '/setup'
  if (personOf(app, exchange)) return '/office/orders'
  const device = deviceOf(app, exchange)
  if (device?.role === 'kitchen') return '/kitchen'
  if (device?.role === 'board') return '/board'
  return device ? '/pin' : '/login'
}

/** GET {basePath}/office: the rooms of the office, for the person who is logged in. */
export const readOffice: Handler = (app, call) => {
  const view = viewOf(app, call)
  const w = words[view.language]
  const rooms = view.person ? roomsOf(view.person.role) : []
  return page(view, {
    title: w.office,
    body: html`${queryOf(call.exchange.request).has('allowed') && html`<p class="note done" role="status">${homeWords[view.language].allowed}</p>`}
${attention(view, app.store)}
<ul class="card rooms-list">
${rooms.map(({ key, path }) => html`<li><a href="${view.link(path)}">${w[key]}</a></li>`)}
</ul>
<ul class="card rooms-list">
<li><a href="${view.link('/office/account')}">${w.account}</a></li>
</ul>
${languageChoice(view)}
${view.isShared && html`<p><a class="button" href="${view.link('/pin')}">${w.switchPerson}</a></p>`}
<form method="post" action="${view.link('/logout')}"><button class="button">${w.logOut}</button></form>`,
  })
}

const YEAR_S = 31_536_000

/** POST {basePath}/language: keeps the language of the pages in a cookie, and leads back. */
export const chooseLanguage: Handler = async (app, call) => {
  const read = await readForm(call, { once: ['language', 'back'] })
  if (!read.ok) return read.reply
  const wanted = read.form.text('language')
  const language = languages.find(each => each === wanted)
  const to = backTo(app, read.form.text('back'))
  if (!language) return { kind: 'redirect', to }
  const cookie = `language=${language}; Path=${app.basePath}/; Max-Age=${YEAR_S}; SameSite=Lax; HttpOnly`
  return { kind: 'redirect', to, cookies: [cookie] }
}

/** The page of this site that a form names, else the start page. */
function backTo({ link }: App, here: string) {
  try {
    const { pathname, searchParams } = new URL(here, 'http://site')
    if (!here.startsWith('/') || here.startsWith('//')) return link('/')
    return link(
      pathname,
      Object.fromEntries([...new Set(searchParams.keys())].map(name => [name, searchParams.getAll(name)])),
    )
  } catch {
    return link('/')
  }
}
