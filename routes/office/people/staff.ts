import { refusalText } from '../../../display/refusal.ts'
import { newCode, newPin } from '../../../store/people/secret.ts'
import { type Role, roles, type Staff } from '../../../store/people/staff.ts'
import type { StaffId } from '../../../store/terms/ids.ts'
import { isRefused, type Refusal } from '../../../store/terms/refusal.ts'
import { type Html, html } from '../../html/html.ts'
import type { App, Call, Handler, PersonCaller } from '../../http/handler.ts'
import { type Reply, refuse } from '../../http/reply.ts'
import { field } from '../../page/field.ts'
import { readForm } from '../../page/form.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { settingsTabs } from '../settings/settings-tabs.ts'
import { words } from '../words/people.ts'

type Owner = Call<PersonCaller>

/** GET {basePath}/office/staff: who works here. */
export const readStaff: Handler<PersonCaller> = (app, call) => staffPage(app, call, {})

/** POST {basePath}/office/staff: adds a person. */
export const addStaff: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['name', 'role'] })
  if (!read.ok) return read.reply
  const name = read.form.text('name')
  const role = roleIn(read.form.text('role'))
  if (!role) return refuse('BAD_REQUEST')
  const added = await app.writer.act(call.caller.actor, 'addStaff', name, role)
  if (isRefused(added)) return staffPage(app, call, { name, role, refusal: added })
  return { kind: 'redirect', to: app.link(`/office/staff/${added.id}`) }
}

/** GET {basePath}/office/staff/:id: one person. */
export const readPerson: Handler<PersonCaller> = (app, call) => personPage(app, call, {})

/** POST {basePath}/office/staff/:id: changes the name and the role of a person. */
export const changePerson: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['name', 'role'] })
  if (!read.ok) return read.reply
  const person = personIn(app, call)
  const role = roleIn(read.form.text('role'))
  if (!person || !role) return refuse(person ? 'BAD_REQUEST' : 'NOT_FOUND')
  const name = read.form.text('name')
  const { actor } = call.caller
  const changed = await app.writer.act(actor, 'changeStaff', person.id, { name, role })
  if (isRefused(changed)) return personPage(app, call, { name, role, refusal: changed })
  return { kind: 'redirect', to: app.link('/office/staff') }
}

/** POST {basePath}/office/staff/:id/password: sets a password, the given one or a new one that is shown once. */
export const setPassword: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['password'] })
  if (!read.ok) return read.reply
  const person = personIn(app, call)
  if (!person) return refuse('NOT_FOUND')
  const given = read.form.text('password')
  const password = given === '' ? `${newCode()}-${newCode()}`.toLowerCase() : given
  const hashed = await app.passwords.hashPassword(password, person.name)
  const set = isRefused(hashed) ? hashed : await app.writer.act(call.caller.actor, 'setPassword', person.id, hashed)
  if (isRefused(set)) return personPage(app, call, { refusal: set })
  return given === '' ? madePage(app, call, person, password) : { kind: 'redirect', to: app.link('/office/staff') }
}

/** POST {basePath}/office/staff/:id/pin: sets a PIN in the same way, or removes it. */
export const setPin: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, { once: ['pin', 'remove'] })
  if (!read.ok) return read.reply
  const person = personIn(app, call)
  if (!person) return refuse('NOT_FOUND')
  const given = read.form.text('pin')
  const pin = given === '' ? newPin() : given
  const isRemoved = read.form.text('remove') !== ''
  const hashed = isRemoved ? null : await app.passwords.hashPin(pin)
  const set = isRefused(hashed) ? hashed : await app.writer.act(call.caller.actor, 'setPin', person.id, hashed)
  if (isRefused(set)) return personPage(app, call, { refusal: set })
  return given === '' && !isRemoved
    ? madePage(app, call, person, pin)
    : { kind: 'redirect', to: app.link('/office/staff') }
}

/** POST {basePath}/office/staff/:id/end: ends the work of a person. */
export const endPerson: Handler<PersonCaller> = async (app, call) => {
  const read = await readForm(call, {})
  if (!read.ok) return read.reply
  const person = personIn(app, call)
  if (!person) return refuse('NOT_FOUND')
  const ended = await app.writer.act(call.caller.actor, 'endStaff', person.name)
  if (isRefused(ended)) return personPage(app, call, { refusal: ended })
  return { kind: 'redirect', to: app.link('/office/staff') }
}

interface Tried {
  name?: string
  role?: Role
  refusal?: Refusal<
    | 'text'
    | 'name taken'
    | 'unknown staff'
    | 'last owner'
    | 'invalid password'
    | 'invalid PIN'
    | 'too many log-ins'
    | 'no password for staff'
  >
}

function staffPage(app: App, call: Owner, { name, role = 'staff', refusal }: Tried): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  const people = app.store.staff.list()
  const present = people.filter(({ endedAt }) => endedAt === null)
  const former = people.filter(({ endedAt }) => endedAt !== null)
  return page(view, {
    title: w.staff,
    room: 'settings',
    status: refusal ? 422 : 200,
    body: html`${settingsTabs(view, 'staff')}
<div class="card list"><table class="cards">
<thead><tr><th scope="col">${w.name}</th><th scope="col">${w.role}</th><th scope="col">${w.logsInWith}</th></tr></thead>
<tbody>${present.map(
      person => html`<tr><td><a href="${view.link(`/office/staff/${person.id}`)}">${person.name}</a></td>
<td>${roleName(view, person.role)}</td><td>${credentialsOf(view, person)}</td></tr>`,
    )}</tbody></table></div>
<section class="card stack"><h2>${w.add}</h2>
<form method="post" action="${view.link('/office/staff')}" class="fields narrow">
${field({ label: w.name, name: 'name', value: name, autocomplete: 'off', wrong: refusal && refusalText(refusal, view.language) })}
${roleChoice(view, role)}
<div class="actions"><button class="primary">${w.addButton}</button></div>
</form></section>
${
  former.length > 0 &&
  html`<details><summary>${w.former}</summary><ul class="stack tight">${former.map(
    each => html`<li>${each.name}, ${w.left(view.formats.date(each.endedAt ?? 0))}</li>`,
  )}</ul></details>`
}`,
  })
}

function personPage(app: App, call: Owner, { name, role, refusal }: Tried): Reply {
  const person = personIn(app, call)
  if (!person) return refuse('NOT_FOUND')
  const view = viewOf(app, call)
  const w = words[view.language]
  const at = (act: string) => view.link(`/office/staff/${person.id}${act}`)
  const text = refusal && refusalText(refusal, view.language)
  const isAbout = (...codes: string[]) => (refusal && codes.includes(refusal.refused) ? text : undefined)
  const elsewhere = isAbout('last owner', 'unknown staff', 'too many log-ins', 'no password for staff')
  return page(view, {
    title: person.name,
    room: 'settings',
    status: refusal ? 422 : 200,
    aside: html`<a class="button" href="${view.link('/office/staff')}">${w.back}</a>`,
    body: html`${elsewhere !== undefined && html`<p class="note bad" role="alert">${elsewhere}</p>`}
<section class="card"><form method="post" action="${at('')}" class="fields narrow">
${field({ label: w.name, name: 'name', value: name ?? person.name, autocomplete: 'off', wrong: isAbout('text', 'name taken') })}
${roleChoice(view, role ?? person.role)}
<p class="quiet small">${w.roleChangeHelp}</p>
<div class="actions"><button class="primary">${w.save}</button></div>
</form></section>
<div class="columns">
${
  person.role !== 'staff' &&
  html`<section class="card stack"><h2>${w.setPassword}</h2><form method="post" action="${at('/password')}" class="fields narrow">
${field({ label: w.newPassword, name: 'password', type: 'password', autocomplete: 'new-password', isOptional: true, help: w.newPasswordHelp, wrong: isAbout('invalid password') })}
<div class="actions"><button>${w.setPassword}</button></div></form></section>`
}
<section class="card stack"><h2>${w.setPin}</h2><form method="post" action="${at('/pin')}" class="fields narrow">
${field({ label: w.newPin, name: 'pin', autocomplete: 'off', inputmode: 'numeric', maxlength: 6, isOptional: true, help: w.newPinHelp, wrong: isAbout('invalid PIN') })}
<div class="actions"><button>${w.setPin}</button>${person.hasPin && html`<button class="plain" name="remove" value="yes">${w.removePin}</button>`}</div></form></section>
</div>
<details><summary>${w.end}</summary><form method="post" action="${at('/end')}" class="stack">
<p>${w.endHelp}</p><div class="actions"><button class="danger">${w.endButton(person.name)}</button></div></form></details>`,
  })
}

/** Shows a password or PIN that was just made, the only time. */
function madePage(app: App, call: Owner, { name }: Staff, made: string): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  return page(view, {
    title: w.made(name),
    room: 'settings',
    body: html`<div class="card code-card"><p class="code">${made}</p><p>${w.madeHelp}</p></div>
<p><a class="button primary" href="${view.link('/office/staff')}">${w.done}</a></p>`,
  })
}

function roleChoice(view: View, chosen: Role): Html {
  const w = words[view.language]
  const help: Record<Role, string> = { owner: w.ownerHelp, manager: w.managerHelp, staff: w.staffHelp }
  return html`<fieldset class="field"><legend>${w.role}</legend>
${[...roles]
  .reverse()
  .map(
    role =>
      html`<label class="choice"><input type="radio" name="role" value="${role}" checked="${role === chosen}" required=""><span>${roleName(view, role)} <span class="quiet small">${help[role]}</span></span></label>`,
  )}
</fieldset>`
}

export function roleName({ language }: View, role: Role): string {
  const w = words[language]
  return role === 'owner' ? w.owner : role === 'manager' ? w.manager : w.staffRole
}

function credentialsOf(view: View, { hasPassword, hasPin }: Staff): Html | string {
  const w = words[view.language]
  const has = [...(hasPassword ? [w.password] : []), ...(hasPin ? [w.pin] : [])]
  return has.length > 0 ? view.formats.list(has) : html`<span class="state wait">${w.nothing}</span>`
}

function personIn({ store }: App, { parameters: { id = '' } }: Owner): Staff | undefined {
  return store.staff.list().find(person => person.endedAt === null && String(person.id satisfies StaffId) === id)
}

function roleIn(text: string): Role | undefined {
  return roles.find(role => role === text)
}
