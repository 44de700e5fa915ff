import { promises as dns } from 'node:dns'
import { readFileSync } from 'node:fs'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'
import { platform } from 'node:os'
import { join } from 'node:path'

// Addresses that are not public (decision F7): the IANA registry of special-purpose IPv4 addresses…
const refusedIpv4 = new BlockList()
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]) {
  const [address = '', bits] = network.split('/')
  refusedIpv4.addSubnet(address, Number(bits), 'ipv4')
}

// … and of IPv6, where only 2000::/3 is assigned: everything outside is private, mapped, translated or reserved.
const globalIpv6 = new BlockList()
globalIpv6.addSubnet('2000::', 3, 'ipv6')
const refusedIpv6 = new BlockList()
refusedIpv6.addSubnet('2001::', 23, 'ipv6') // protocol assignments, Teredo among them
refusedIpv6.addSubnet('2001:db8::', 32, 'ipv6')
refusedIpv6.addSubnet('2002::', 16, 'ipv6') // 6to4, which translates any IPv4 address
refusedIpv6.addSubnet('2620:4f:8000::', 48, 'ipv6')
refusedIpv6.addSubnet('3fff::', 20, 'ipv6')

/** Whether deliveries may go to an address (decision F7). `allowed` are the networks of WEBHOOK_ALLOW_NETWORKS. */
export function isAllowed(text: string, allowed: BlockList): boolean {
  const [address = ''] = text.split('%')
  if (isIP(address) === 0) return false
  if (!isIPv6(address)) return allowed.check(address, 'ipv4') || !refusedIpv4.check(address, 'ipv4')
  if (allowed.check(address, 'ipv6')) return true
  return globalIpv6.check(address, 'ipv6') && !refusedIpv6.check(address, 'ipv6')
}

/** No connection was made, because deliveries may not go to this address. */
export class AddressRefused extends Error {
  constructor(addresses: string[]) {
    super(`the address ${addresses.join(', ')} is not allowed`)
  }
}

interface Found {
  address: string
  family: number
}

/** Resolves a name to all its addresses. It is an argument, so that tests can replace it. */
export type Lookup = (name: string, callback: (error: Error | null, found: Found[]) => void) => void

export interface NameSources {
  hostsFile?: string
  /** Name servers, with their port if it is not 53; those of the system if there are none. */
  servers?: string[]
  /** Asked for names that DNS does not have: those of mDNS and the like, and those that need a search domain. */
  others?(name: string): Promise<Found[]>
  deadlineMs?: number
}

// Less than the deadline of an attempt, so that no look-up outlives it.
const DEADLINE_MS = 4500
const FIRST_TRY_MS = 1000
const TRIES = 3

// Some name servers never respond for IPv6: once one family is known, this is the longest wait for the other.
const OTHER_FAMILY_MS = 300

const hostsOfSystem =
  platform() === 'win32' ? join(process.env.SystemRoot ?? 'C:\\Windows', 'System32/drivers/etc/hosts') : '/etc/hosts'

/**
 * A look-up in the hosts file, then in DNS, then in the other sources of the system. Only the last of these uses the
 * platform's threads for look-ups, in effect two. It is used only after DNS has said that the name does not exist, so a name
 * whose servers never respond delays no other name. It then fails with EAI_AGAIN.
 */
export function lookupIn(sources: NameSources = {}): Lookup {
  const { hostsFile = hostsOfSystem, servers, others = lookupByThreads, deadlineMs = DEADLINE_MS } = sources

  async function find(name: string): Promise<Found[]> {
    const known = foundInHosts(hostsFile, name)
    if (known.length > 0) return known
    return (await foundByDns(name, servers, deadlineMs)) ?? others(name)
  }

  return (name, callback) => {
    find(name).then(
      found => callback(null, found),
      error => callback(error, []),
    )
  }
}

export const lookupBySystem: Lookup = lookupIn()

function lookupByThreads(name: string): Promise<Found[]> {
  return dns.lookup(name, { all: true })
}

/** The addresses that a hosts file has for a name. It is read each time, so that a change needs no restart. */
function foundInHosts(file: string, name: string): Found[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return []
  }
  const wanted = name.toLowerCase().replace(/\.$/, '')
  const found: Found[] = []
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    const family = isIP(address)
    if (family !== 0 && names.some(each => each.toLowerCase() === wanted)) found.push({ address, family })
  }
  return found
}

/** The addresses that DNS has for a name, or null when it says that there are none. Throws when DNS gives no result. */
async function foundByDns(name: string, servers: string[] | undefined, deadlineMs: number): Promise<Found[] | null> {
  const resolver = new dns.Resolver({ timeout: FIRST_TRY_MS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  let isUnsure = false
  let otherFamily: NodeJS.Timeout | undefined

  async function ask(answers: Promise<string[]>, family: number): Promise<Found[]> {
    try {
      const found = (await answers).map(address => ({ address, family }))
      if (found.length > 0) otherFamily ??= setTimeout(() => resolver.cancel(), OTHER_FAMILY_MS)
      return found
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== dns.NOTFOUND && code !== dns.NODATA) isUnsure = true
      return []
    }
  }

  const deadline = setTimeout(() => resolver.cancel(), deadlineMs)
  // IPv4 first: DNS does not know, as the system does, whether this machine has IPv6.
  const found = (await Promise.all([ask(resolver.resolve4(name), 4), ask(resolver.resolve6(name), 6)])).flat()
  clearTimeout(deadline)
  clearTimeout(otherFamily)
  if (found.length > 0) return found
  if (isUnsure) throw Object.assign(new Error(`DNS does not answer for ${name}`), { code: 'EAI_AGAIN' })
  return null
}

/**
 * A look-up for sockets that returns only allowed addresses, at the moment of connecting, so that a name cannot change
 * its addresses between the check and the connection.
 */
export function checkedLookup(lookup: Lookup, allowed: BlockList): LookupFunction {
  return (name, options, callback) => {
    lookup(name, (error, found) => {
      if (error) return callback(error, '', 0)
      const good = found.filter(({ address }) => isAllowed(address, allowed))
      const [first] = good
      if (!first) return callback(new AddressRefused(found.map(({ address }) => address)), '', 0)
      if (options.all) callback(null, good)
      else callback(null, first.address, first.family)
    })
  }
}
