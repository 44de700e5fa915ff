import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { guestKinds, modesOfKind } from '../store/guests/switches.ts'
import { systemUser } from '../store/people/actor.ts'
import { passwords } from '../store/people/password.ts'
import { newCode } from '../store/people/secret.ts'
import { parseRestaurantFile, type RestaurantFile } from '../store/restaurant-file/restaurant-file.ts'
import type { Store } from '../store/store.ts'
import { weekdays } from '../store/terms/clock.ts'
import { isRefused } from '../store/terms/refusal.ts'
import type { Writer } from '../writer/writer.ts'

/** The demo has its own file, so that it can never touch a real restaurant's. */
export const databaseFile = 'data/demo.db'

/** The restaurant file of the demo. */
export function restaurant(): RestaurantFile {
  const source = readFileSync(fileURLToPath(new URL('demo-restaurant.json', import.meta.url)), 'utf8')
  const { file, problems } = parseRestaurantFile(source)
  if (problems.length > 0) throw new Error(`the demo restaurant has problems: ${JSON.stringify(problems)}`)
  return file
}

/** The demo never closes, so that guests' pages can be tried at any hour. */
function openAllDay(file: RestaurantFile): RestaurantFile {
  const allDay = Object.fromEntries(weekdays.map(day => [day, [{ open: '00:00', close: '00:00' }]]))
  const always = { opening_hours: {}, opening_periods: allDay, closed_dates: [] }
  return { ...file, locations: file.locations.map(location => ({ ...location, ...always })) }
}

interface Served {
  store: Store
  writer: Writer
  url: string
}

/** Imports the demo restaurant into the database file, turns the API on, adds an owner, and returns what to try. */
export async function prepare({ store, writer, url }: Served, basePath: string): Promise<string> {
  const owner = systemUser()
  await writer.act(owner, 'importCatalogue', openAllDay(restaurant()))
  await writer.act(owner, 'setSetting', 'api.module_enabled', 'on')
  await writer.act(owner, 'setSetting', 'api.enabled', 'on')
  // The locations were imported by the writer's thread.
  store.refresh()
  for (const kind of guestKinds) {
    await writer.act(owner, 'setSetting', `guests.${kind}`, 'on')
    for (const { id } of store.catalogue.current().locations) {
      await writer.act(owner, 'setGuestModes', id, kind, modesOfKind[kind])
    }
  }
  const token = await writer.act(owner, 'generateToken')
  const password = await makeOwner(store, writer)

  const api = `${url}${basePath}/api/index.php/v1/restaurant`
  const authorization = `-H 'Authorization: Bearer ${token}'`
  const order = {
    location_id: 1,
    customer: { name: 'Ana' },
    items: [
      { item_id: 1, qty: 2, modifiers: [{ modifier_id: 11 }, { modifier_id: 12 }, { modifier_id: 13 }] },
      { item_id: 801, variation_id: 8012, qty: 1 },
    ],
  }
  return `
The demo restaurant is open. Its pages, with a password that is made new at every start:
  ${url}${basePath}/login
  Name:     ${OWNER}
  Password: ${password}

The pages on which guests order:
  ${url}${basePath}/order

Its token, made new at every start: ${token}

List the locations:
  curl -s ${authorization} ${api}/locations

Read a menu:
  curl -s ${authorization} ${api}/locations/1/menu

Place an order:
  curl -s ${authorization} -H 'Content-Type: application/json' ${api}/orders -d '${JSON.stringify(order)}'

Maintenance commands for it, in another terminal:
  DATABASE_FILE=${databaseFile} npm run -s servery -- orders

Stop with Ctrl-C.`
}

const OWNER = 'Demo'

/** Gives the owner of the demo a new password, and returns it. */
async function makeOwner({ staff }: Store, writer: Writer): Promise<string> {
  const actor = systemUser()
  const password = `${newCode()}-${newCode()}`.toLowerCase()
  const hashed = await passwords().hashPassword(password, OWNER)
  const person = staff.named(OWNER) ?? (await writer.act(actor, 'addStaff', OWNER, 'owner'))
  if (isRefused(hashed) || isRefused(person)) throw new Error('the owner of the demo was not made')
  await writer.act(actor, 'changeRole', person.id, 'owner')
  await writer.act(actor, 'setPassword', person.id, hashed)
  return password
}
