import { lookup as systemLookup } from 'node:dns'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'

// What no public service can be reached at (decision F7): the IANA registries of special-purpose IPv4 addresses…
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

// … and of IPv6, where only 2000::/3 is given out: everything outside is private, mapped, translated or reserved.
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

/** Nothing was connected to, because the address is none that deliveries may go to. */
export class AddressRefused extends Error {
  constructor(addresses: string[]) {
    super(`the address ${addresses.join(', ')} is not allowed`)
  }
}

interface Found {
  address: string
  family: number
}

/** Resolves a name to all its addresses. An argument, so that a test can answer in its place. */
export type Lookup = (name: string, callback: (error: Error | null, found: Found[]) => void) => void

export const lookupBySystem: Lookup = (name, callback) =>
  systemLookup(name, { all: true }, (error, found) => callback(error, found ?? []))

/**
 * A look-up for sockets that answers only allowed addresses, at the moment of connecting: a name that changes its answer
 * has nothing to gain between a check and its use. Look-ups of one name at the same time are one.
 */
export function checkedLookup(lookup: Lookup, allowed: BlockList): LookupFunction {
  const waiting = new Map<string, ((error: Error | null, found: Found[]) => void)[]>()

  // A name that does not resolve keeps a thread of the system's small pool busy: never more than one each.
  function lookupOnce(name: string, callback: (error: Error | null, found: Found[]) => void): void {
    const others = waiting.get(name)
    if (others) {
      others.push(callback)
      return
    }
    const callbacks = [callback]
    waiting.set(name, callbacks)
    lookup(name, (error, found) => {
      waiting.delete(name)
      for (const each of callbacks) each(error, found)
    })
  }

  return (name, options, callback) => {
    lookupOnce(name, (error, found) => {
      if (error) return callback(error, '', 0)
      const good = found.filter(({ address }) => isAllowed(address, allowed))
      const [first] = good
      if (!first) return callback(new AddressRefused(found.map(({ address }) => address)), '', 0)
      if (options.all) callback(null, good)
      else callback(null, first.address, first.family)
    })
  }
}
