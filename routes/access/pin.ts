import type { Device } from '../../store/people/devices.ts'
import type { Credentials, Staff } from '../../store/people/staff.ts'
import type { StaffId } from '../../store/terms/ids.ts'
import { isRefused } from '../../store/terms/refusal.ts'
import { type Html, html } from '../html/html.ts'
import type { App, Call, Caller, DeviceCaller, Handler } from '../http/handler.ts'
import type { Reply } from '../http/reply.ts'
import { field } from '../page/field.ts'
import { readForm } from '../page/form.ts'
import { page } from '../page/page.ts'
import type { Find } from './kept-form.ts'
import {
  alone,
  goOn,
  handedOn,
  keptIn,
  type LogInRefusal,
  nextOf,
  noteOf,
  startSession,
  statusOf,
  type WayIn,
} from './log-in.ts'
import { words } from './words/log-in.ts'

/** GET {basePath}/pin: who works on this device now. */
export const readPin: Handler<DeviceCaller> = (app, call) =>
  pinPage(app, call, call.caller.device, { next: nextOf(call.exchange) })

/** POST {basePath}/pin: starts a session for a person and a PIN, only on this device. */
export function enterPin(find: Find): Handler<DeviceCaller> {
  return async (app, call) => {
    const { device } = call.caller
    const read = await readForm(call, { once: ['person', 'pin', 'next', 'to', 'kept'] })
    if (!read.ok) return read.reply
    const { form } = read
    const [name, next, kept] = [form.text('person'), form.text('next'), keptIn(form)]
    const person = await checkPin(app, device, name, form.text('pin'))
    const secret = isRefused(person)
      ? person
      : await startSession(app, call.exchange, { person, checked: person.pin, deviceId: device.id })
    if (isRefused(secret)) return pinPage(app, call, device, { name, next, kept, refusal: secret })
    return goOn(app, call, find, { secret, next, kept, home: homeOf(find, app, device) })
  }
}

/** The page to choose a name on and to enter its PIN; `name` is the id of who is chosen. */
export function pinPage(
  app: App,
  call: Pick<Call<Caller>, 'exchange' | 'caller'>,
  device: Device,
  wayIn: WayIn,
): Reply {
  const view = alone(app, call)
  const w = words[view.language]
  const people = app.store.staff.list().filter(({ hasPin, endedAt }) => hasPin && endedAt === null)
  return page(view, {
    title: w.whoAreYou,
    aside: html`<span class="quiet">${device.title}</span>`,
    status: statusOf(wayIn),
    body: html`${noteOf(view, wayIn)}
${
  people.length === 0
    ? html`<p class="card empty">${w.nobodyHasPin}</p>`
    : html`<form method="post" action="${view.link('/pin')}" class="card fields" data-pin="">
${handedOn(wayIn)}
${choiceOf(people, { name: 'person', label: w.whoAreYou, chosen: wayIn.name })}
${field({ label: w.pin, name: 'pin', type: 'password', autocomplete: 'off', inputmode: 'numeric', maxlength: 6, help: w.pinHelp })}
<button class="primary">${w.logIn}</button>
</form>`
}
<p><a class="button plain" href="${view.link('/login')}">${w.withPassword}</a></p>`,
  })
}

/** People to choose one of, as large buttons. */
export function choiceOf(
  people: Staff[],
  { name, label, chosen }: { name: string; label: string; chosen: string | undefined },
): Html {
  return html`<fieldset class="people">
<legend class="sr">${label}</legend>
${people.map(
  person =>
    html`<label class="chip"><input type="radio" name="${name}" value="${person.id}" required="" checked="${String(person.id) === chosen}">${person.name}</label>`,
)}
</fieldset>`
}

/** Checks the PIN of a person, given on a paired device. Returns who it is. */
export async function checkPin(
  { store, throttle, passwords, log }: App,
  device: Device,
  person: string,
  pin: string,
): Promise<(Credentials & { pin: NonNullable<Credentials['pin']> }) | LogInRefusal> {
  // Only this device can try, so its address does not matter.
  const trier = { name: `PIN of ${person.slice(0, 16)} on device ${device.id}`, address: `device ${device.id}` }
  const seconds = throttle.take(trier)
  if (seconds > 0) return { refused: 'wait before trying', seconds }
  const known = /^[1-9]\d{0,14}$/.test(person) ? store.staff.credentials(Number(person) as StaffId) : undefined
  const matches = await passwords.matches(pin, known?.pin ?? null)
  if (isRefused(matches)) {
    throttle.notTried(trier)
    return matches
  }
  if (!matches || !known || known.pin === null) {
    log.repeated('PINs refused', { device: device.id })
    return { refused: 'wrong PIN' }
  }
  throttle.succeeded(trier)
  return { ...known, pin: known.pin }
}

/** The page that a device of a role is for. */
function homeOf(find: Find, { basePath }: App, { role }: Device): string {
  const wanted = role === 'kitchen' ? '/kitchen' : '/office/till'
  return find('GET', `${basePath}${wanted}`) ? wanted : '/office'
}
