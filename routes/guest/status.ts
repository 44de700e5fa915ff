import { createHash } from 'node:crypto'
import { formats } from '../../display/formats.ts'
import { languages } from '../../display/language.ts'
import { refusalText } from '../../display/refusal.ts'
import { tableText } from '../../display/terms.ts'
import type { GuestOrder } from '../../store/ordering/guest-orders.ts'
import type { Order } from '../../store/ordering/order.ts'
import { sha256 } from '../../store/people/secret.ts'
import { isRefused } from '../../store/terms/refusal.ts'
import { secretOf } from '../access/cookies.ts'
import { type Html, html } from '../html/html.ts'
import { bucketOf, callerAddress } from '../http/address.ts'
import { cookieOf } from '../http/cookie.ts'
import type { App, Call, Caller, Handler } from '../http/handler.ts'
import { queryOf } from '../http/head.ts'
import { type Reply, refuse } from '../http/reply.ts'
import { allergensOf } from '../office/orders/order-allergens.ts'
import { readForm } from '../page/form.ts'
import { documentOf } from '../page/page.ts'
import { type View, viewOf } from '../page/view.ts'
import { orderTable } from './order-table.ts'
import { settingAt } from './setting.ts'
import { waitAt } from './wait.ts'
import { words } from './words/status.ts'

type Words = (typeof words)['en']

/** How far an order is, as its guest sees it. */
type Stage =
  | 'waiting'
  | 'pay first'
  | 'planned'
  | 'placed'
  | 'in kitchen'
  | 'ready'
  | 'out for delivery'
  | 'done'
  | 'cancelled'

/** What the page shows. */
interface Shown {
  guest: GuestOrder
  order: Order
  stage: Stage
  /** What is still to be paid, in minor units. */
  balance: number
  /** Between which instants the order is probably ready (UTC milliseconds); null: not known. */
  expected: { from: number; to: number } | null
  /** Until when this browser may cancel the order (UTC milliseconds); 0: it may not. */
  cancelUntil: number
}

// How often a page is refreshed, with a script and without.
const ASK_S = 5
const RELOAD_S = 20

/** GET {basePath}/o/:token: how far an order is. Anyone who has the address may read the page, so it shows no personal data. */
export const readStatus: Handler = (app, call) => {
  const found = find(app, call)
  return 'kind' in found ? found : statusPage(app, call, found, 200)
}

/**
 * GET {basePath}/o/:token/now: the JSON `{ version }`, which differs once the page does, so that a phone polls a few bytes and seldom
 * loads the page. The connection is closed: hundreds of phones that keep theirs would leave none for the kitchen's screens.
 */
export const readStatusNow: Handler = (app, call) => {
  const found = find(app, call)
  call.exchange.isLast = true
  if ('kind' in found) return found
  return {
    kind: 'bytes',
    type: 'application/json; charset=utf-8',
    bytes: Buffer.from(JSON.stringify({ version: versionOf(found) })),
  }
}

/** POST {basePath}/o/:token/cancel: cancels an order for the browser that placed it, within the minutes of the setting. */
export const cancelOrder: Handler = async (app, call) => {
  const found = find(app, call)
  if ('kind' in found) return found
  const read = await readForm(call, {})
  if (!read.ok) return read.reply
  const secret = secretOf(app, call.exchange, 'guest')
  if (secret === undefined) return refuse('NOT_ALLOWED')
  const cancelled = await app.writer.chore('cancelAsGuest', found.order.id, sha256(secret))
  if (!isRefused(cancelled)) return { kind: 'redirect', to: addressOf(app, call, found.guest) }
  if (cancelled.refused === 'unknown order') return refuse('NOT_ALLOWED')
  const now = find(app, call)
  if ('kind' in now) return now
  // Another press may have cancelled it meanwhile.
  if (now.stage === 'cancelled') return { kind: 'redirect', to: addressOf(app, call, now.guest) }
  return statusPage(app, call, now, 422, refusalText(cancelled, viewIn(app, call, now.order).language))
}

function addressOf(app: App, { exchange }: Call<Caller>, { token }: GuestOrder) {
  return app.link(`/o/${token}`, { lang: queryOf(exchange.request).get('lang') })
}

/** The order of a status page, or the page that says that there is none. The number of requests is limited, for guessed addresses, too. */
function find(app: App, call: Call<Caller>): Shown | Reply {
  const { exchange, parameters } = call
  const token = parameters.token ?? ''
  const guest = /^[\w-]{43}$/.test(token) ? app.store.guestOrders.byToken(token) : undefined
  const address = bucketOf(callerAddress(exchange.request, app.trustedProxies))
  // Other people with the address of the order have a limit of their own, so they cannot use up the guest's.
  const bucket = guest ? `order ${guest.orderId} ${address}` : `address ${address}`
  if (!app.statusLimit.permit(bucket).take()) return plainPage(app, call, 'tooOften', 429)
  const order = guest && app.store.orderBook.byId(guest.orderId)
  return guest && order ? shownOf(app, call, guest, order) : plainPage(app, call, 'unknown', 404)
}

function shownOf(app: App, { exchange }: Call<Caller>, guest: GuestOrder, order: Order): Shown {
  const { store } = app
  const tickets = store.kitchen.ofOrder(order.id)
  const stage = stageOf(
    guest,
    order,
    tickets.some(({ state, heldFor }) => state === 'held' && heldFor === 'payment'),
  )
  const secret = secretOf(app, exchange, 'guest')
  const isOwn = secret !== undefined && guest.browser?.equals(sha256(secret)) === true
  const until = isOwn ? store.cancellableUntil(guest, order) : 0
  return {
    guest,
    order,
    stage,
    balance: store.payments.standing(order.id).balance,
    expected: expectedOf(app, order, stage, tickets),
    cancelUntil: until > app.clock.now() ? until : 0,
  }
}

function stageOf(
  { isWaiting }: GuestOrder,
  { status, fulfillmentStatus, wantedAt }: Order,
  isPaidFirst: boolean,
): Stage {
  if (status === 'cancelled') return 'cancelled'
  if (fulfillmentStatus === 'fulfilled' || (status === 'completed' && fulfillmentStatus === null)) return 'done'
  if (isWaiting) return 'waiting'
  if (isPaidFirst) return 'pay first'
  if (fulfillmentStatus === 'in_kitchen') return 'in kitchen'
  if (fulfillmentStatus === 'ready') return 'ready'
  if (fulfillmentStatus === 'out_for_delivery') return 'out for delivery'
  return wantedAt === null ? 'placed' : 'planned'
}

const MINUTE = 60_000

/** The wait that guests are told, counted from when the kitchen got the order. It follows the current measurement until it is ready. */
function expectedOf(app: App, order: Order, stage: Stage, tickets: { openedAt: number }[]): Shown['expected'] {
  if (stage !== 'in kitchen') return null
  const wait = waitAt(app, order.locationId)
  if (!wait) return null
  const since = Math.max(order.placedAt, ...tickets.map(({ openedAt }) => openedAt))
  return { from: since + wait.from * MINUTE, to: since + wait.to * MINUTE }
}

/** A hash of everything on the page that can change. */
function versionOf({ order, stage, balance, expected, cancelUntil }: Shown): string {
  const { grandTotal, lines, wantedAt, tableTitle } = order
  const parts = [
    stage,
    balance,
    expected,
    cancelUntil,
    grandTotal,
    lines.map(({ id, qtyMilli }) => [id, qtyMilli]),
    wantedAt,
    tableTitle,
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12)
}

/** The view of a guest. The language is in the query, because the cookies of the menu are not sent to this path. */
function viewIn(app: App, call: Call<Caller>, { locationId }: Pick<Order, 'locationId'>): View & { tongue: string } {
  const view = viewOf(app, call)
  const tongue = queryOf(call.exchange.request).get('lang') ?? view.language
  const language = languages.find(each => each === tongue.split('-')[0]) ?? view.language
  const { timezone } = app.store.catalogue.current().menu(locationId)?.location ?? { timezone: view.zone }
  return { ...view, language, tongue, formats: formats(language, timezone), zone: timezone }
}

function statusPage(app: App, call: Call<Caller>, shown: Shown, status: 200 | 422, problem?: string): Reply {
  const { order, guest, stage, balance, expected, cancelUntil } = shown
  const view = viewIn(app, call, order)
  const w = words[view.language]
  const { exponent, currency } = order
  const isOver = stage === 'done' || stage === 'cancelled'
  const [text, help] = sentencesOf(view, shown)
  const isLate = expected !== null && expected.to < view.now
  const query = { lang: queryOf(call.exchange.request).get('lang') }
  const body = html`<body class="guest">
<main id="main" class="status" tabindex="-1">
<section id="status" class="stack" data-watch="${!isOver && view.link(`/o/${guest.token}/now`).text}" data-every="${ASK_S}" data-version="${versionOf(shown)}" data-stale-text="${w.stale}" data-chime="${stage === 'ready' ? 1 : 0}">
${problem !== undefined && html`<p class="note bad" role="alert">${problem}</p>`}
<h1 class="number"><span class="quiet">${w.yourNumber}</span> <b>${order.number}</b></h1>
<div class="card now ${kindOf[stage]}" role="status"><p class="stage">${text}</p>
${help !== null && html`<p>${help}</p>`}
${expected && html`<p>${isLate ? w.longer : w.wait(view.formats.time(Math.max(expected.from, view.now)), view.formats.time(expected.to))}</p>`}</div>
${steps(w, shown)}
${stage !== 'cancelled' && html`<p class="pay">${balance > 0 ? payText(w, order, view.formats.money(balance, exponent, currency)) : html`<span class="state done">${w.paid}</span>`}</p>`}
<section class="card"><h2>${w.ordered}</h2>${orderTable(view, view.tongue, order, app.store.catalogue.current().menuWithSoldOut(order.locationId))}</section>
${stage !== 'cancelled' && allergens(app, view, w, order)}
${
  cancelUntil > 0 &&
  html`<form method="post" action="${view.link(`/o/${guest.token}/cancel`, query)}"><p class="quiet small">${w.cancelUntil(view.formats.time(cancelUntil))}</p><button class="button danger">${w.cancel}</button></form>`
}
</section>
<p class="actions"><button class="button" type="button" data-chime-switch="status" aria-pressed="false" hidden="">${w.sound}</button>
${moreLink(app, view, w, guest, order)}</p>
<p class="quiet small">${w.keep}</p>
</main></body>`
  const head = html`<meta name="robots" content="noindex">`
  const page = documentOf(view, w.title(order.number), body, 'guest', head)
  // Without a script the page has to be loaded again. With one, that would interrupt the guest.
  const hasScript = cookieOf(call.exchange.request, 'script') !== undefined
  return { kind: 'html', status, html: page, ...(!hasScript && !isOver && { reloadS: RELOAD_S }) }
}

const kindOf: Record<Stage, 'wait' | 'done' | 'bad' | 'off'> = {
  waiting: 'wait',
  'pay first': 'wait',
  planned: 'wait',
  placed: 'wait',
  'in kitchen': 'wait',
  ready: 'done',
  'out for delivery': 'done',
  done: 'off',
  cancelled: 'bad',
}

/** What is happening to the order, and what the guest should do or expect. */
function sentencesOf(view: View, { order, stage }: Shown): [text: string, help: string | null] {
  const w = words[view.language]
  const then =
    order.mode === 'delivery'
      ? w.delivered
      : order.tableTitle === null
        ? null
        : w.brought(tableText(order.tableTitle, view.language))
  switch (stage) {
    case 'waiting':
      return [w.waiting, w.waitingHelp]
    case 'pay first':
      return [w.payFirst, w.payFirstHelp]
    case 'planned':
      return [w.planned(view.formats.time(order.wantedAt ?? view.now)), then]
    case 'placed':
      return [w.placed, then ?? w.collect]
    case 'in kitchen':
      return [w.inKitchen, then]
    case 'ready':
      return [w.ready, then ?? w.collect]
    case 'out for delivery':
      return [w.outForDelivery, null]
    case 'done':
      return [w.done, w.doneHelp]
    case 'cancelled':
      return [w.cancelled, w.cancelledHelp]
    default:
      return stage satisfies never
  }
}

/** The steps of an order, with the current one marked. */
function steps(w: Words, { order, stage }: Shown): Html | false {
  if (stage === 'cancelled' || order.fulfillmentStatus === null) return false
  const isDelivered = order.mode === 'delivery'
  const all = [w.placed, w.inKitchen, w.ready, ...(isDelivered ? [w.outForDelivery] : []), w.done]
  const at = { ready: 2, 'out for delivery': 3, done: all.length - 1, 'in kitchen': 1 } as const
  const now = stage in at ? at[stage as keyof typeof at] : 0
  return html`<ol class="way" aria-label="${w.steps}">${all.map(
    (text, index) =>
      html`<li class="${index < now ? 'past' : index === now ? 'here' : ''}" aria-current="${index === now && 'step'}">${text}</li>`,
  )}</ol>`
}

function payText(w: Words, { mode, tableTitle }: Order, amount: string): string {
  if (mode === 'delivery') return w.toPayAtDoor(amount)
  return tableTitle === null ? w.toPay(amount) : w.toPayAtTable(amount)
}

function allergens({ store }: App, view: View, w: Words, { lines }: Order): Html {
  const { contains, mayContain, unknown, areOptionsUnknown } = allergensOf(store.restaurant(), lines, view.language)
  const list = view.formats.list
  return html`<section class="card stack tight"><h2>${w.allergens}</h2>
${contains.length > 0 && html`<p><b>${w.contains(list(contains))}</b></p>`}
${mayContain.length > 0 && html`<p>${w.mayContain(list(mayContain))}</p>`}
${unknown.length > 0 && html`<p><b>${w.unknownFor(list(unknown))}</b></p>`}
${areOptionsUnknown && html`<p><b>${w.unknownOptions}</b></p>`}
${(unknown.length > 0 || areOptionsUnknown) && html`<p>${w.askFirst}</p>`}</section>`
}

/** The link to the menu where the order was placed, as long as guests can order there. */
function moreLink(
  app: App,
  view: View,
  w: Words,
  { kind, tableCode }: GuestOrder,
  { locationId }: Order,
): Html | false {
  const table = kind === 'qr' && tableCode !== null ? app.store.tableCodes.find(tableCode) : undefined
  if (kind === 'qr' && !table) return false
  const base = table ? `/t/${tableCode}` : kind === 'kiosk' ? '/kiosk' : `/order/${locationId}`
  if (!settingAt(app, kind, { locationId, table: table ?? null, base })) return false
  return html`<a class="button" href="${view.link(base)}">${w.more}</a>`
}

/** The page for an address without an order, or for too many requests. */
function plainPage(app: App, call: Call<Caller>, why: 'unknown' | 'tooOften', status: 404 | 429): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  const help = why === 'unknown' ? w.unknownHelp : w.tooOftenHelp
  const body = html`<body class="guest"><main id="main"><h1>${w[why]}</h1><p>${help}</p></main></body>`
  const head = html`<meta name="robots" content="noindex">`
  return { kind: 'html', status, html: documentOf(view, w[why], body, 'guest', head) }
}
