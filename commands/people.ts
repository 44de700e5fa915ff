import { activityColumns, activityJson } from '../display/activity.ts'
import { deviceColumns, deviceJson, staffColumns, staffJson } from '../display/people.ts'
import { passwords } from '../store/people/password.ts'
import { newCode, newPin } from '../store/people/secret.ts'
import { type Role, roles, type Staff } from '../store/people/staff.ts'
import type { Store } from '../store/store.ts'
import { parseInstant } from '../store/terms/clock.ts'
import type { DeviceId } from '../store/terms/ids.ts'
import { isRefused, type Refusal } from '../store/terms/refusal.ts'
import {
  type Command,
  type CommandCall,
  didYouMean,
  done,
  misused,
  type Outcome,
  optionText,
  positive,
  refused,
} from './command.ts'
import { list } from './layout.ts'

const LAST = 50

export const activity: Command = {
  usage: 'activity [--since INSTANT] [--by NAME] [--last N]',
  summary: `show who did what, newest first (${LAST}, or N); --by: one person, device or system user`,
  options: { since: { type: 'string' }, by: { type: 'string' }, last: { type: 'string' } },
  run({ options, clock, store }) {
    const last = options.last === undefined ? LAST : positive(optionText(options.last))
    if (last === undefined) return misused(`--last must be a whole number from 1, not "${options.last}".`)
    const [from, by] = [optionText(options.since), optionText(options.by)]
    const { timezone } = store().settings.current()
    const since = from === undefined ? undefined : parseInstant(from, { zone: timezone, now: clock.now(), day: 'last' })
    if (from !== undefined && since === undefined) {
      return refused(`"${from}" is not an instant; write it like 2026-11-20 19:42 (${timezone}) or 2026-11-20T19:42Z.`)
    }
    const found = store().activity({ ...(since !== undefined && { since }), ...(by !== undefined && { by }) }, last)
    return done(found.length === 0 ? 'Nothing.' : list(activityColumns(timezone), found), found.map(activityJson))
  },
}

export const staff: Command = {
  usage: `staff [add NAME ${roles.join('|')} | role NAME ROLE | rename NAME NEW |
      password NAME generate|- | pin NAME generate|-|none | end NAME]`,
  summary: `list present and former staff, add a person, change their role or name, or end their work; the activity log keeps the name
      password, pin: what a person logs in with; "generate" makes one and prints it, "-" reads it from standard input`,
  takes: ['VERB?', 'NAME?', 'VALUE?'],
  async run(call) {
    const { args, store } = call
    const [verb, name, value] = args
    if (verb === undefined) return staffList(store())
    if (!isVerb(verb)) return misused(`There is no "staff ${verb}".${didYouMean(verb, verbs)}`)
    if (name === undefined) return misused('NAME is missing.')
    if (verb === 'end') {
      if (value !== undefined) return misused(`"${value}" is one word too many; put quotes around a text with spaces.`)
      return told(store(), store().staff.end(name), ended => `${ended.name} no longer works here.`)
    }
    if (verb === 'add') {
      const role = roleNamed(value)
      if (typeof role === 'object') return misused(role.why)
      const added = store('create').staff.add(name, role)
      return told(
        store(),
        added,
        ({ id }) => `${name.trim()} works here as ${role}, with the id ${id}.${nextOf(name, role)}`,
      )
    }

    const person = store().staff.named(name)
    if (!person) return refused({ refused: 'unknown staff', name })
    const { id } = person
    if (verb === 'rename') {
      if (value === undefined) return misused('The new name is missing.')
      return told(store(), store().staff.rename(id, value), renamed => `${person.name} is called ${renamed.name} now.`)
    }
    if (verb === 'role') {
      const role = roleNamed(value)
      if (typeof role === 'object') return misused(role.why)
      return told(store(), store().staff.changeRole(id, role), changed => `${changed.name} works here as ${role} now.`)
    }
    if (verb === 'pin' && value === 'none') {
      return told(store(), store().staff.setPin(id, null), ({ name }) => `${name} has no PIN any more.`)
    }
    if (value !== 'generate' && value !== '-') {
      return misused(`After the name comes "generate", or "-" to read ${verb === 'pin' ? 'a PIN' : 'a password'}.`)
    }
    return verb === 'pin' ? setPin(call, person, value) : setPassword(call, person, value)
  },
}

const verbs = ['add', 'role', 'rename', 'password', 'pin', 'end'] as const

function isVerb(word: string): word is (typeof verbs)[number] {
  return verbs.some(verb => verb === word)
}

function roleNamed(wanted: string | undefined): Role | { why: string } {
  const role = roles.find(known => known === wanted)
  return role ?? { why: wanted === undefined ? 'ROLE is missing.' : `There is no role "${wanted}".` }
}

/** What is still missing before a person who was added can log in. */
function nextOf(name: string, role: Role): string {
  const quoted = /^[\p{L}\d_.-]+$/u.test(name) ? name : `"${name.trim()}"`
  return role === 'staff' ? ` Next: staff pin ${quoted} generate` : ` Next: staff password ${quoted} generate`
}

async function setPassword(call: CommandCall, { id, name }: Staff, how: 'generate' | '-'): Promise<Outcome> {
  const generated = how === 'generate' ? `${newCode()}-${newCode()}`.toLowerCase() : undefined
  const password = generated ?? (await typed(call, 'the password'))
  const hashed = await passwords().hashPassword(password, name)
  if (isRefused(hashed)) return refused(hashed)
  const set = call.store().staff.setPassword(id, hashed)
  if (isRefused(set)) return refused(set)
  const text = `${name} logs in with the new password now and was logged out everywhere.`
  if (generated === undefined) return done(text, staffJson(set))
  return done(`${generated}\n${text} It is not shown again.`, { password: generated, ...staffJson(set) })
}

async function setPin(call: CommandCall, { id, name }: Staff, how: 'generate' | '-'): Promise<Outcome> {
  const generated = how === 'generate' ? newPin() : undefined
  const pin = generated ?? (await typed(call, 'the PIN'))
  const hashed = await passwords().hashPin(pin)
  if (isRefused(hashed)) return refused(hashed)
  const set = call.store().staff.setPin(id, hashed)
  if (isRefused(set)) return refused(set)
  const text = `${name} logs in with the new PIN on paired devices.`
  if (generated === undefined) return done(text, staffJson(set))
  return done(`${generated}\n${text} It is not shown again.`, { pin: generated, ...staffJson(set) })
}

/** Standard input without its last line break. */
async function typed({ input }: CommandCall, what: string): Promise<string> {
  if (process.stdin.isTTY) console.error(`Type ${what}, then Enter and Ctrl-D:`)
  const bytes = await input()
  return bytes?.toString('utf8').replace(/\r?\n$/, '') ?? ''
}

function told(store: Store, result: Staff | Refusal, text: (person: Staff) => string): Outcome {
  return isRefused(result) ? refused(result) : { ...staffList(store), text: text(result) }
}

function staffList(store: Store): Outcome {
  const all = store.staff.list()
  const columns = staffColumns(store.settings.current().timezone)
  return done(all.length === 0 ? 'Nobody is entered.' : list(columns, all), all.map(staffJson))
}

export const devices: Command = {
  usage: 'devices [end ID]',
  summary: 'list the tills, screens and printers, or end the use of one',
  takes: ['end?', 'ID?'],
  run({ args: [verb, name], store }) {
    if (verb === undefined) return deviceList(store())
    if (verb !== 'end') return misused(`There is no "devices ${verb}".${didYouMean(verb, ['end'])}`)
    const id = positive(name)
    if (id === undefined) return misused(name === undefined ? 'ID is missing.' : `"${name}" is not an id.`)
    const ended = store().devices.end(id as DeviceId)
    if (isRefused(ended)) return refused(ended)
    return { ...deviceList(store()), text: `${ended.title} is no longer in use.` }
  },
}

function deviceList(store: Store): Outcome {
  const all = store.devices.list()
  const columns = deviceColumns(store.settings.current().timezone)
  return done(all.length === 0 ? 'There are no devices.' : list(columns, all), all.map(deviceJson))
}
