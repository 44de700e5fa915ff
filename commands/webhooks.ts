import { isIP } from 'node:net'
import { minuteText } from '../display/instant.ts'
import { type Endpoint, parseEndpointUrl } from '../store/outbox/endpoints.ts'
import { type OrderEventType, orderEventTypes } from '../store/outbox/order-event.ts'
import type { Store } from '../store/store.ts'
import { type EndpointId, parseId } from '../store/terms/ids.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { isAllowed } from '../webhooks/address.ts'
import { type Command, type CommandCall, counted, done, type Outcome, positive, refused } from './command.ts'
import { lines } from './layout.ts'
import { log, lost } from './webhook-log.ts'
import { secret } from './webhook-secret.ts'
import { test } from './webhook-test.ts'

/** What stands behind `webhooks`; undefined means that the arguments are not as the usage says. */
const verbs: Record<string, (call: CommandCall) => Outcome | undefined | Promise<Outcome | undefined>> = {
  endpoints: ({ args, store }) => (args.length === 0 ? listed(store()) : undefined),
  add,
  remove: changing((endpoint, store) => {
    store.webhooks.endpoints.remove(endpoint.id)
    return `Endpoint ${endpoint.id} (${endpoint.url}) is removed.`
  }),
  pause: changing((endpoint, store) => {
    store.webhooks.endpoints.pause(endpoint.id, true)
    return `Endpoint ${endpoint.id} is paused: what happens until it is resumed is lost to it.`
  }),
  resume: changing((endpoint, store) => {
    store.webhooks.endpoints.pause(endpoint.id, false)
    return `Endpoint ${endpoint.id} is told of events again.`
  }),
  events,
  secret,
  log,
  test,
  lost,
}

export const webhooks: Command = {
  usage: `webhooks endpoints | add URL | remove ID | pause ID | resume ID
           | events [all|TYPE,…] | secret set [VALUE|generate] | secret rotate [VALUE|-] | secret retire | secret clear
           | log [--last N] [--failed] | test ID | lost [--endpoint ID] [--csv]`,
  summary: 'which systems are told of orders, how it is signed, and what became of it (docs/webhooks.md)',
  options: {
    last: { type: 'string' },
    failed: { type: 'boolean' },
    endpoint: { type: 'string' },
    csv: { type: 'boolean' },
  },
  run(call) {
    const [verb = '', ...args] = call.args
    return Object.hasOwn(verbs, verb) ? verbs[verb]?.({ ...call, args }) : undefined
  },
}

function add({ args: [text, ...rest], configuration, store }: CommandCall): Outcome | undefined {
  if (text === undefined || rest.length > 0) return undefined
  // Looked at before a file is made for nothing.
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

/** A command that does something with one endpoint. */
function changing(act: (endpoint: Endpoint, store: Store) => string) {
  return ({ args: [name, ...rest], store }: CommandCall): Outcome | undefined => {
    const id = parseId<EndpointId>(positive(name))
    if (id === undefined || rest.length > 0) return undefined
    const endpoint = store().webhooks.endpoints.byId(id)
    if (!endpoint) return refused(`There is no endpoint ${id}. See: webhooks endpoints`)
    const text = act(endpoint, store())
    return done(text, overview(store()))
  }
}

function events({ args: [names, ...rest], store }: CommandCall): Outcome | undefined {
  if (rest.length > 0) return undefined
  if (names !== undefined) {
    const refusal = store('create').webhooks.endpoints.select(names === 'all' ? [] : names.split(','))
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
