import type { Session } from '../../../store/people/sessions.ts'
import type { SessionId } from '../../../store/terms/ids.ts'
import { keepSecret } from '../../access/cookies.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Handler, PersonCaller } from '../../http/handler.ts'
import { refuse } from '../../http/reply.ts'
import { readForm } from '../../page/form.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { settingsTabs } from '../settings/settings-tabs.ts'
import { words } from '../words/people.ts'

/** GET {basePath}/office/sessions: everybody who is logged in. */
export const readSessions: Handler<PersonCaller> = (app, call) => {
  const view = viewOf(app, call)
  const w = words[view.language]
  return page(view, {
    title: w.sessions,
    room: 'settings',
    body: html`${settingsTabs(view, 'sessions')}
<p class="quiet">${w.sessionsHelp}</p>
${sessionTable(app, view, app.store.sessions.list(), call.caller.session.id, '/office/sessions')}`,
  })
}

/** POST {basePath}/office/sessions: ends a session of anybody. */
export const endSession: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['session'] })
  if (!read.ok) return read.reply
  const id = Number(read.form.text('session'))
  if (!Number.isSafeInteger(id)) return refuse('BAD_REQUEST')
  // A session that has ended meanwhile is what was wanted.
  await app.writer.act(call.caller.actor, 'endSession', id as SessionId)
  const isOwn = id === call.caller.session.id
  const cookies = isOwn ? [keepSecret(app, call.exchange, 'session', null)] : []
  return { kind: 'redirect', to: app.link(isOwn ? '/login' : '/office/sessions'), cookies }
}

/** Sessions with a button to end each; the form goes to `path`. */
export function sessionTable(app: App, view: View, sessions: Session[], own: SessionId, path: string): Html {
  const w = words[view.language]
  const devices = app.store.devices.list()
  const where = ({ deviceId, address, userAgent }: Session) =>
    deviceId === null
      ? browserName(userAgent) || address
      : (devices.find(({ id }) => id === deviceId)?.title ?? address)
  return html`<div class="card list"><table class="cards">
<thead><tr><th scope="col">${w.person}</th><th scope="col">${w.from}</th><th scope="col">${w.lastSeen}</th><td></td></tr></thead>
<tbody>${sessions.map(
    session => html`<tr><th scope="row">${session.person.name}${session.id === own && html` <span class="quiet small">(${w.thisOne})</span>`}</th>
<td>${where(session)}<small>${session.address}</small></td>
<td>${w.seenAt(view.formats.dateTime(session.seenAt))}<small>${w.loggedInAt(view.formats.dateTime(session.createdAt))}</small></td>
<td><form method="post" action="${view.link(path)}"><input type="hidden" name="session" value="${session.id}"><button class="danger" aria-label="${w.endSessionOf(session.person.name)}">${w.endSession}</button></form></td></tr>`,
  )}</tbody></table></div>`
}

/** "Firefox, Android": enough to recognise one's own browser; empty for what is unknown. */
function browserName(userAgent: string): string {
  const browser = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'].find(name => userAgent.includes(`${name}/`))
  const system = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux'].find(name => userAgent.includes(name))
  const name = browser === 'Edg' ? 'Edge' : browser === 'OPR' ? 'Opera' : browser
  return [name, system].filter(part => part !== undefined).join(', ')
}
