import { isIP } from 'node:net'
import { minuteText } from '../display/instant.ts'
import { type Endpoint, parseEndpointUrl } from '../store/outbox/endpoints.ts'
import { type OrderEventType, orderEventTypes } from '../store/outbox/order-event.ts'
import type { Store } from '../store/store.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { isAllowed } from '../webhooks/address.ts'
import { type Command, type CommandCall, counted, didYouMean, done, misused, type Outcome, refused } from './command.ts'
import { flawOfArguments } from './command-line.ts'
import { lines } from './layout.ts'
import { endpointNamed } from './names.ts'
import { log, lost } from './webhook-log.ts'
import { secret } from './webhook-secret.ts'
import { test } from './webhook-test.ts'

interface Subcommand {
  takes: readonly string[]
  run(call: CommandCall): Outcome | Promise<Outcome>
}

const subcommands: Record<string, Subcommand> = {
  endpoints: { takes: [], run: ({ store }) => listed(store()) },
  add: { takes: ['URL'], run: add },
  remove: changing((endpoint, store) => {
    store.webhooks.endpoints.remove(endpoint.id)
    return `Endpoint ${endpoint.id} (${endpoint.url}) is removed.`
  }),
  pause: changing((endpoint, store) => {
    store.webhooks.endpoints.pause(endpoint.id, true)
    return `Endpoint ${endpoint.id} is paused: events until it is resumed are lost to it.`
  }),
  resume: changing((endpoint, store) => {
    store.webhooks.endpoints.pause(endpoint.id, false)
    return `Endpoint ${endpoint.id} receives events again.`
  }),
  events: { takes: ['TYPES?'], run: events },
  secret: { takes: ['set|rotate|retire|clear', 'VALUE?'], run: secret },
  log: { takes: [], run: log },
  test: { takes: ['ENDPOINT'], run: test },
  lost: { takes: [], run: lost },
}

const names = Object.keys(subcommands)

export const webhooks: Command = {
  usage: `webhooks endpoints | add URL | remove ENDPOINT | pause ENDPOINT | resume ENDPOINT
           | events [all|TYPE,…] | secret set [VALUE|generate] | secret rotate [VALUE|-] | secret retire | secret clear
           | log [--last N] [--failed] | test ENDPOINT | lost [--endpoint ENDPOINT] [--csv]`,
  summary: `manage which systems receive order events and how these are signed, and see what was delivered
      ENDPOINT is an id or a URL; see docs/webhooks.md`,
  takes: [names.join('|'), '…?', '…?'],
  options: {
    last: { type: 'string' },
    failed: { type: 'boolean' },
    endpoint: { type: 'string' },
    csv: { type: 'boolean' },
  },
  run(call) {
    const [name = '', ...args] = call.args
    const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined
    if (!subcommand) return misused(`There is no "webhooks ${name}".${didYouMean(name, names)}`)
    const flaw = flawOfArguments(subcommand.takes, args)
    return flaw === undefined ? subcommand.run({ ...call, args }) : misused(flaw)
  },
}

function add({ args: [text = ''], configuration, store }: CommandCall): Outcome {
  // Checked before a database file is created.
  const url = parseEndpointUrl(text)
  if (isRefused(url)) return refused(url)
  const endpoint = store('create').webhooks.endpoints.add(text)
  if (isRefused(endpoint)) return refused(endpoint)
  const host = new URL(endpoint.url).hostname.replace(/^\[|\]$/g, '')
  const warning =
    isIP(host) !== 0 && !isAllowed(host, configuration.webhookNetworks)
      ? `Nothing will be delivered to ${host} unless WEBHOOK_ALLOW_NETWORKS of the server has it.`
      : null
  const told = `Endpoint ${endpoint.id} is ${endpoint.url}. Try it: webhooks test ${endpoint.id}`
  return done(warning ? `${told}\nwarning  ${warning}` : told, { ...endpointJson(endpoint), warning })
}

/** A subcommand for one endpoint. */
function changing(act: (endpoint: Endpoint, store: Store) => string): Subcommand {
  return {
    takes: ['ENDPOINT'],
    run({ args: [name = ''], store }) {
      const endpoint = endpointNamed(store(), name)
      if (typeof endpoint === 'string') return refused(endpoint)
      const text = act(endpoint, store())
      return done(text, overview(store()))
    },
  }
}

function events({ args: [chosen], store }: CommandCall): Outcome {
  if (chosen !== undefined) {
    const refusal = store('create').webhooks.endpoints.select(chosen === 'all' ? [] : chosen.split(','))
    if (refusal) return refused(refusal)
  }
  const selection = store().webhooks.endpoints.selection()
  return done(`Delivered: ${selectionText(selection)}.`, { selected: selection, delivered: deliveredOf(selection) })
}

function listed(store: Store): Outcome {
  const { endpoints, secrets } = store.webhooks
  const zone = store.settings.current().timezone
  const all = endpoints.list()
  const rows = all.map(({ id, url, paused, createdAt }) => [
    String(id),
    paused ? 'paused' : 'active',
    url,
    `since ${minuteText(createdAt, zone)}`,
  ])
  const active = secrets.createdAt()
  const [newest] = active
  const told = [
    all.length === 0 ? 'No endpoints. Add one: webhooks add https://…' : lines(rows),
    `Events: ${selectionText(endpoints.selection())}.`,
    newest === undefined
      ? 'Unsigned: no secret is set. Set one: webhooks secret set generate'
      : `Signed with ${counted(active.length, 'secret')}; the newest was set ${minuteText(newest, zone)} (${zone}).`,
  ]
  return done(told.join('\n'), overview(store))
}

function overview(store: Store) {
  const { endpoints, secrets } = store.webhooks
  const selection = endpoints.selection()
  return {
    endpoints: endpoints.list().map(endpointJson),
    events: { selected: selection, delivered: deliveredOf(selection) },
    secrets: secrets.createdAt().map(createdAt => ({ set_at: new Date(createdAt).toISOString() })),
  }
}

function endpointJson({ id, url, paused, createdAt }: Endpoint) {
  return { id, url, paused, created_at: new Date(createdAt).toISOString() }
}

function deliveredOf(selection: OrderEventType[]): readonly OrderEventType[] {
  return selection.length === 0 ? orderEventTypes : selection
}

function selectionText(selection: OrderEventType[]): string {
  return selection.length === 0 ? 'all events' : selection.join(', ')
}
