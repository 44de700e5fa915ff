import type { DeviceRole } from '../../store/people/devices.ts'
import type { Hashed } from '../../store/people/password.ts'
import { newSecret } from '../../store/people/secret.ts'
import type { Role } from '../../store/people/staff.ts'
import type { DeviceId, LocationId, StaffId } from '../../store/terms/ids.ts'
import type { Shop } from './shop.ts'

/** The server whose file people and devices are added to. */
type Signing = Pick<Shop, 'store' | 'url' | 'execute'>

/**
 * Somebody who is logged in, for requests and for a browser:
 *
 *   const ana = logIn(shop, 'manager')
 *   await fetch(`${shop.url}/office/orders`, { headers: ana.headers, redirect: 'manual' })
 *   await fetch(`${shop.url}/office/orders`, { method: 'POST', headers: ana.headers, body: new URLSearchParams({ … }) })
 *   const { page, site } = await openWindow(t, shop.port, { cookie: ana.cookie })
 */
export interface LoggedIn {
  id: StaffId
  name: string
  /** The value of the Cookie header. */
  cookie: string
  /** The cookie, and what a browser sends with a form of the same site. */
  headers: { Cookie: string; Origin: string }
}

/** Adds a person of a role and logs them in: with a password, but staff with a PIN on a new till or the given device. */
export function logIn(
  shop: Signing,
  role: Role,
  name = `${role} ${shop.store.staff.list().length + 1}`,
  device?: PairedDevice,
): LoggedIn {
  const { store } = shop
  const added = store.staff.add(name, role)
  if ('refused' in added) throw new Error(added.refused)
  const till = role === 'staff' ? (device ?? pairDevice(shop, 'till')) : null
  // No hash of anything: tests that log in with a real password use the page.
  const checked = 'scrypt$2$1$1$AAAA$AAAA' as Hashed
  const column = till ? 'pin' : 'password'
  shop.execute(`UPDATE staff SET ${column} = '${checked}' WHERE id = ${added.id}`)
  const secret = newSecret()
  const session = store.sessions.logIn({
    staffId: added.id,
    checked,
    deviceId: till?.id ?? null,
    secret,
    replaces: null,
    address: '127.0.0.1',
    userAgent: 'test',
  })
  if ('refused' in session) throw new Error(session.refused)
  const secrets = { servery_session: secret, ...(till && { servery_device: till.secret }) }
  return { id: added.id, name, ...sent(shop, secrets) }
}

export type PairedDevice = ReturnType<typeof pairDevice>

/** Pairs a device of a role with the shop's first location. */
export function pairDevice(
  shop: Signing,
  role: DeviceRole,
): Omit<LoggedIn, 'id' | 'name'> & { id: DeviceId; secret: string } {
  const { devices } = shop.store
  const offered = devices.offerPairing({ title: `A ${role}`, role, locationId: 1 as LocationId, stationId: null })
  if ('refused' in offered) throw new Error(offered.refused)
  const paired = devices.pair(offered.code)
  if ('refused' in paired) throw new Error(paired.refused)
  return { id: paired.device.id, secret: paired.secret, ...sent(shop, { servery_device: paired.secret }) }
}

function sent({ url }: Signing, secrets: Record<string, string>): Pick<LoggedIn, 'cookie' | 'headers'> {
  const cookie = Object.entries(secrets)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
  return { cookie, headers: { Cookie: cookie, Origin: new URL(url).origin } }
}
