import { activityColumns, activityJson } from '../display/activity.ts'
import { deviceColumns, deviceJson, staffColumns, staffJson } from '../display/people.ts'
import { roles } from '../store/people/staff.ts'
import type { Store } from '../store/store.ts'
import { parseInstant } from '../store/terms/clock.ts'
import type { DeviceId } from '../store/terms/ids.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { type Command, didYouMean, done, misused, type Outcome, optionText, positive, refused } from './command.ts'
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
  usage: `staff [add NAME ${roles.join('|')} | end NAME]`,
  summary: 'list present and former staff, add a person, or end their work; the activity log keeps the name',
  takes: ['add|end?', 'NAME?', 'ROLE?'],
  run({ args: [verb, name, wanted], store }) {
    if (verb === undefined) return staffList(store())
    if (verb !== 'add' && verb !== 'end') {
      return misused(`There is no "staff ${verb}".${didYouMean(verb, ['add', 'end'])}`)
    }
    if (name === undefined) return misused('NAME is missing.')
    if (verb === 'end') {
      if (wanted !== undefined)
        return misused(`"${wanted}" is one word too many; put quotes around a text with spaces.`)
      const ended = store().staff.end(name)
      if (isRefused(ended)) return refused(ended)
      return { ...staffList(store()), text: `${ended.name} no longer works here.` }
    }
    const role = roles.find(known => known === wanted)
    if (!role) return misused(wanted === undefined ? 'ROLE is missing.' : `There is no role "${wanted}".`)
    const added = store('create').staff.add(name, role)
    if (isRefused(added)) return refused(added)
    return { ...staffList(store()), text: `${added.name} works here as ${added.role}, with the id ${added.id}.` }
  },
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
