import type { BlockList } from 'node:net'
import { parseNetworks } from './routes/http/address.ts'
import { type Limits, readLimits } from './routes/http/limits.ts'

/** The configuration of a server: the environment variables of docs/deploy.md. */
export interface Configuration {
  host: string
  port: number
  databaseFile: string
  /** Where the site is installed: "" at the root of the domain, else such as "/shop". */
  basePath: string
  trustedProxies: BlockList
  /** Names under which pages are served, besides addresses and local names (decision 047). */
  hosts: ReadonlySet<string>
  /** Networks that webhooks may reach although they are not public (decision F7). */
  webhookNetworks: BlockList
  /** The folder of the menu's images. */
  siteRoot: string
  limits: Limits
}

/** The database file when no other is named. */
export const defaultDatabaseFile = 'data/servery.db'

/** Reads the configuration from an environment. Returns all problems together, each a sentence that names the variable. */
export function readConfiguration(environment: NodeJS.ProcessEnv): {
  configuration: Configuration
  problems: string[]
} {
  const problems: string[] = []
  const variable = (name: string, fallback: string) => environment[name]?.trim() || fallback

  const port = variable('PORT', '8080')
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    problems.push(`PORT must be a number from 0 to 65535, not "${port}".`)

  const basePath = variable('BASE_PATH', '')
  if (!/^(\/[A-Za-z0-9._~-]+)*$/.test(basePath) || /\/\.{1,2}(\/|$)/.test(basePath)) {
    problems.push(`BASE_PATH must be empty or like /shop, without a slash at its end, not "${basePath}".`)
  }

  const { networks, malformed } = parseNetworks(variable('TRUSTED_PROXIES', ''))
  for (const entry of malformed) {
    problems.push(`TRUSTED_PROXIES must list addresses or networks such as 127.0.0.1 or 10.0.0.0/8, not "${entry}".`)
  }

  const hosts = variable('HOSTS', '')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(name => name !== '')
  for (const name of hosts.filter(each => !/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(each))) {
    problems.push(`HOSTS must list host names such as orders.example.com, without a port, not "${name}".`)
  }

  const webhook = parseNetworks(variable('WEBHOOK_ALLOW_NETWORKS', ''))
  for (const entry of webhook.malformed) {
    problems.push(`WEBHOOK_ALLOW_NETWORKS must list addresses or networks such as 192.168.1.0/24, not "${entry}".`)
  }

  const { limits, problems: ofLimits } = readLimits(variable)
  problems.push(...ofLimits)

  return {
    configuration: {
      host: variable('HOST', '127.0.0.1'),
      port: Number(port),
      databaseFile: variable('DATABASE_FILE', defaultDatabaseFile),
      basePath,
      trustedProxies: networks,
      hosts: new Set(hosts),
      webhookNetworks: webhook.networks,
      siteRoot: variable('SITE_ROOT', 'public'),
      limits,
    },
    problems,
  }
}
