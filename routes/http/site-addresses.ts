import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'

/**
 * The addresses at which browsers find this site, the best first: configured names, which are behind a proxy with https, then the
 * addresses of this machine that the server listens on.
 */
export function siteAddresses(
  { host, hosts, basePath }: { host: string; hosts: ReadonlySet<string>; basePath: string },
  port: number,
): string[] {
  const names = [...hosts].map(name => `https://${name}${basePath}`)
  const addresses = host === '0.0.0.0' || host === '::' ? machineAddresses(host) : [host]
  return [...names, ...addresses.map(each => `http://${isIPv6(each) ? `[${each}]` : each}:${port}${basePath}`)]
}

/** Those of its networks, and that of the machine itself last. An address of one link only works with the name of an interface. */
function machineAddresses(host: string): string[] {
  const found = Object.values(networkInterfaces()).flatMap(each => each ?? [])
  const ofNetworks = found.filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
  const usable = ofNetworks.filter(({ family }) => family === 'IPv4' || host === '::')
  return [...usable.map(({ address }) => address), '127.0.0.1']
}
