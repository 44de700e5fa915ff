import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv4, isIPv6, type Socket } from 'node:net'

/** Networks as a list to check addresses against. Also returns the entries that are not a CIDR network or an address. */
export function parseNetworks(list: string): { networks: BlockList; malformed: string[] } {
  const networks = new BlockList()
  const malformed: string[] = []
  for (const entry of list.split(/[\s,]+/).filter(part => part !== '')) {
    const [address = '', bits, ...rest] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    const most = family === 'ipv6' ? 128 : 32
    const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN
    if (isIP(address) === 0 || rest.length > 0 || !(prefix <= most)) malformed.push(entry)
    else networks.addSubnet(address, prefix, family)
  }
  return { networks, malformed }
}

/**
 * The address of the caller (decision B3): the peer of the socket, unless that is a trusted proxy; then the right-most
 * entry of `X-Forwarded-For` that is not itself one. When that is malformed, or all are trusted, it is the peer.
 */
export function callerAddress({ headers, socket }: IncomingMessage, trustedProxies: BlockList): string {
  const socketPeer = peerOf(socket)
  const forwardedFor = headers['x-forwarded-for']
  if (forwardedFor === undefined || !isTrusted(trustedProxies, socketPeer)) return socketPeer
  const entries = String(forwardedFor).split(',').reverse()
  for (const entry of entries) {
    const address = unmapped(entry.trim())
    if (isIP(address) === 0) return socketPeer
    if (!isTrusted(trustedProxies, address)) return address
  }
  return socketPeer
}

/** The bucket of the order limit for an address: an IPv4 address itself, or the /64 network of an IPv6 address (decision B3). */
export function bucketOf(address: string): string {
  return isIPv6(address) ? `${ipv6Groups(address).slice(0, 4).join(':')}::/64` : address
}

/** The address of the peer of a socket; "" once the peer has disconnected. */
export function peerOf(socket: Socket): string {
  return unmapped(socket.remoteAddress ?? '')
}

export function isTrusted(trustedProxies: BlockList, address: string): boolean {
  return isIP(address) !== 0 && trustedProxies.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

/** An IPv4-mapped IPv6 address (::ffff:192.0.2.1) as an IPv4 address; any other unchanged. */
function unmapped(address: string): string {
  if (!isIPv6(address)) return address
  const groups = ipv6Groups(address)
  if (groups.slice(0, 5).some(group => group !== '0') || groups[5] !== 'ffff') return address
  return groups
    .slice(6)
    .flatMap(group => {
      const value = Number.parseInt(group, 16)
      return [value >> 8, value & 255]
    })
    .join('.')
}

/** The eight groups of an IPv6 address, in lower case without leading zeros. */
function ipv6Groups(address: string): string[] {
  const [withoutZone = ''] = address.split('%')
  // The platform's URL parser normalises every spelling, including an embedded IPv4 address.
  const canonical = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1)
  const [start = '', end] = canonical.split('::')
  const before = start === '' ? [] : start.split(':')
  const after = end === undefined || end === '' ? [] : end.split(':')
  const gap = end === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array<string>(gap).fill('0'), ...after]
}
