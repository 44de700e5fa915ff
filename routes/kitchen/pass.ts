import { hash } from 'node:crypto'
import { refusalText } from '../../display/refusal.ts'
import { heldForText } from '../../display/terms.ts'
import { isAboutAllergy } from '../../store/kitchen/caution.ts'
import type { HandedOver, Pass, PassCourse, PassLine, PassOrder } from '../../store/ordering/pass.ts'
import { type PassActName, passActNames, shownAtPass } from '../../store/ordering/pass-acts.ts'
import type { LocationId, OrderId } from '../../store/terms/ids.ts'
import { isRefused } from '../../store/terms/refusal.ts'
import { type Html, html, refreshWithoutScript } from '../html/html.ts'
import type { App, Call, DeviceCaller, Handler } from '../http/handler.ts'
import { type Reply, refuse } from '../http/reply.ts'
import type { Ask, Card, Content } from '../http/screens.ts'
import { readForm } from '../page/form.ts'
import { documentOf } from '../page/page.ts'
import { languageOf, type View, viewOf } from '../page/view.ts'
import { alarmStrip, alarmsAt, notLiveBanner, screenTools, scriptWords, setUpStrip } from './screen-parts.ts'
import { askFor, isFromScript, unreadable } from './screen-request.ts'
import { ageAt, paceAt, whoseOf } from './ticket.ts'
import { words } from './words/pass.ts'

const here = '/kitchen/pass'

// How often the page loads itself again in a browser that runs no script.
const REFRESH_S = 10

// Ready food gets cold, so these limits are shorter than those of the kitchen.
const READY_SLOW_MS = 3 * 60_000
const READY_LATE_MS = 6 * 60_000

// A course stays at the pass until the next one is fired, because nobody marks it as carried out: it is never late.
const UNTIMED = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as const

/** The lists of the pass in their order on the page; also the ids of their elements. */
const lists = ['ready', 'kitchen', 'later', 'out'] as const
type List = (typeof lists)[number]

/** GET {basePath}/kitchen/pass: every open order of the device's location as a whole, with what the stations have done of it (decision 057). */
export const readPass: Handler<DeviceCaller> = (app, call) => passPage(app, call)

/** GET {basePath}/kitchen/pass/board: the same orders by long polling, like the board of a station (decision 055). */
export const readPassBoard: Handler<DeviceCaller> = (app, call) => app.screens.ask(call.exchange, askOf(app, call))

/**
 * POST {basePath}/kitchen/pass/act: an act at the pass. Its fields are those of a station's acts, so that one script sends both: `ticket`
 * is an order here, and `line` one of its courses.
 */
export const actAtPass: Handler<DeviceCaller> = async (app, call) => {
  const { exchange, caller } = call
  const read = await readForm(call, { once: ['act', 'ticket', 'line', 'ref', 'shown'] })
  if (!read.ok) return read.reply && unreadable(call, read.reply)
  const { form } = read
  const act = form.choice('act', passActNames)
  const [order, batch, ref] = [form.text('ticket'), form.text('line'), form.text('ref')]
  const isReadable = /^\d{1,15}$/.test(order) && /^\d{0,9}$/.test(batch) && /^([\w-]{16,100})?$/.test(ref)
  if (act === undefined || !isReadable) return unreadable(call, refuse('BAD_REQUEST'))
  const wanted = {
    act,
    order: Number(order) as OrderId,
    batch: batch === '' ? null : Number(batch),
    ref: ref === '' ? null : ref,
    shown: form.text('shown'),
  }
  const outcome = await app.writer.act(caller.actor, 'actAtPass', wanted, caller.device.locationId)
  const isScript = isFromScript(call)
  if (isRefused(outcome)) {
    const refused = refusalText(outcome, languageOf(exchange))
    return isScript ? { kind: 'json', status: 409, body: { refused } } : passPage(app, call, refused)
  }
  if (isScript) return { kind: 'json', status: 200, body: { done: true } }
  return { kind: 'redirect', to: app.link(here) }
}

function askOf(app: App, call: Call<DeviceCaller>): Ask {
  const { locationId } = call.caller.device
  const view = viewOf(app, call)
  return askFor(call, {
    key: `pass ${locationId} ${view.language}`,
    locationId,
    stations: [],
    make: once =>
      contentOf(
        app,
        view,
        locationId,
        once(`pass ${locationId}`, () => app.store.pass.at(locationId)),
      ),
  })
}

function contentOf(app: App, view: View, locationId: LocationId, pass: Pass): Content {
  const w = words[view.language]
  const cards = lists.flatMap(list => pass[list].map(order => cardOf(view, order, list, agesOf(app, list, order))))
  const heads = lists.map(list => [`${list}-head`, html`${w[list]} <b>${pass[list].length}</b>`] as const)
  return {
    parts: {
      ...Object.fromEntries(heads),
      recent: recentOf(view, pass.recent),
      alarms: html`${alarmStrip([...alarmsAt(app, view, locationId), ...(pass.more > 0 ? [w.more(pass.more)] : [])])}${pass.moreAtPass > 0 && html`<p class="note">${w.moreAtPass(pass.moreAtPass)}</p>`}`,
    },
    tickets: cards,
    // An order can change without an event of the kitchen, so only the content makes the version.
    seq: 0,
    unseen: [],
    script: app.assets.script('kitchen'),
  }
}

/** The ages at which an order in a list is slow and late (milliseconds). */
function agesOf({ store }: App, list: List, order: PassOrder): readonly [number, number] {
  const { kitchenSlowMs, kitchenLateMs } = store.settings.current()
  if (list === 'kitchen') return [kitchenSlowMs, kitchenLateMs]
  return list === 'ready' && !isWhole(order) ? UNTIMED : [READY_SLOW_MS, READY_LATE_MS]
}

/** The lists of the pass as they were at the instant of the view, for a look back. Nothing can be pressed. */
export function pastPass(app: App, view: View, pass: Pass): Html {
  const w = words[view.language]
  return html`${lists.map(
    list => html`<h3>${w[list]} <b>${pass[list].length}</b></h3>
${pass[list].length > 0 && html`<div class="past-cards">${pass[list].map(order => cardOf(view, order, list, agesOf(app, list, order), true).html)}</div>`}`,
  )}`
}

/** An order as a card. It changes only when the file does; one of the past has its age and nothing to press. */
function cardOf(
  view: View,
  order: PassOrder,
  list: List,
  [slowMs, lateMs]: readonly [number, number],
  isPast = false,
): Card {
  const { id, since, placedAt, courses, notes } = order
  const w = words[view.language]
  const isLater = list === 'later'
  const isCourse = list === 'ready' && !isWhole(order)
  const opened = list === 'kitchen' ? placedAt : since
  const fireAt = nextOf(order)
  const pace = isPast && !isLater ? paceAt(view.now - opened, slowMs, lateMs) : ''
  const content = html`<header>
<h2 class="number" id="number-${id}">${order.number}</h2>
<span class="age">${isLater ? (fireAt === null ? '' : view.formats.timeFrom(fireAt, view.now)) : isPast ? ageAt(view.now, opened) : view.formats.timeFrom(opened, view.now)}</span>
<span class="mode">${whoseOf(view, order)}</span>
${isCourse && html`<span class="mark">${w.courseReady}</span>`}
${order.balance > 0 && html`<span class="mark">${w.toPay(view.formats.money(order.balance, order.exponent, order.currency))}</span>`}
${order.calledAt !== null && list === 'ready' && html`<span class="mark">${w.calledAt(view.formats.time(order.calledAt))}</span>`}
</header>
${order.deliveryAddress !== null && html`<p class="order-note">${[order.deliveryAddress, order.deliveryPostcode].filter(part => part !== null).join(', ')}</p>`}
${notes !== null && html`<p class="order-note">${noteOf(view, notes)}</p>`}
${courses.map(course => courseOf(view, order, course, isPast))}
${!isPast && footOf(view, order, list)}`
  const facts = [id, list, opened, fireAt, slowMs, lateMs]
  const rev = hash('sha256', JSON.stringify([facts, content.text]), 'base64url').slice(0, 12)
  return {
    id,
    rev,
    list,
    of: order,
    look: list,
    html: html`<article class="${`ticket pass-order at-${list} ${pace}`.trim()}" id="ticket-${id}" data-ticket="${id}" data-rev="${rev}" data-news="${list === 'ready' && since}" data-opened="${opened}" data-slow="${slowMs}" data-late="${lateMs}" data-fire="${isLater && (fireAt ?? '')}" aria-labelledby="number-${id}">
${content}
</article>`,
  }
}

/** Whether all of an order in the list *Ready* is ready, and not only the courses that were fired. */
function isWhole({ fulfillmentStatus }: PassOrder): boolean {
  return fulfillmentStatus === 'ready'
}

/** When the next course of an order fires automatically (UTC milliseconds); null: when a person fires it. */
function nextOf({ courses }: PassOrder): number | null {
  const times = courses.flatMap(({ fireAt }) => fireAt ?? [])
  return times.length === 0 ? null : Math.min(...times)
}

function noteOf({ language }: View, note: string): Html {
  const w = words[language]
  return isAboutAllergy(note)
    ? html`<span class="allergy"><strong>${w.allergy}</strong> ${note}</span>`
    : html`<span class="remark"><strong>${w.note}</strong> ${note}</span>`
}

function courseOf(view: View, order: PassOrder, course: PassCourse, isPast: boolean): Html {
  const w = words[view.language]
  const { batch, isAdded, isHeld, fireAt, heldFor, lines } = course
  const state = !isHeld
    ? ''
    : heldFor !== null
      ? heldForText(heldFor, view.language)
      : fireAt === null
        ? w.held
        : w.comes(view.formats.timeFrom(fireAt, view.now))
  const courses = order.courses.filter(each => each.batch !== null && !each.isAdded)
  const name = isAdded ? w.added : batch !== null && courses.length > 1 ? w.course(courses.indexOf(course) + 1) : ''
  const title = [name, state].filter(Boolean).join(': ')
  return html`<section class="course" data-line="${batch}" data-held="${isHeld}">
${title !== '' && html`<h3>${title}</h3>`}
<ul>${lines.map(line => lineOf(view, line))}</ul>
${isHeld && !isPast && formOf(view, order, { act: 'fire', label: w.fire, batch })}
</section>`
}

function lineOf(view: View, { qtyMilli, name, notes, modifiers, stations }: PassLine): Html {
  const w = words[view.language]
  const states = { open: w.isOpen, done: w.isDone, held: w.isHeld, void: w.isVoid }
  const isDone = stations.every(({ state }) => state === 'done' || state === 'void')
  return html`<li class="${isDone ? 'done' : 'open'}"><span class="qty">${view.formats.number(qtyMilli / 1000)}</span>
<span class="dish">${name}${
    modifiers.length > 0 &&
    html`<span class="options">${modifiers.map(({ title, qty }) => html`<span>+ ${title}${qty > 1 && html` × ${view.formats.number(qty)}`}</span>`)}</span>`
  }${notes !== null && noteOf(view, notes)}
<span class="done-at">${
    stations.length === 0
      ? html`<span class="tick none">${w.noStation}</span>`
      : stations.map(
          ({ title, state }) =>
            html`<span class="tick ${state}">${title}<span class="sr"> ${states[state]}</span></span>`,
        )
  }</span></span></li>`
}

/** The acts that are possible now. The most likely one is last, within reach of the thumb. */
function footOf(view: View, order: PassOrder, list: List): Html | false {
  const w = words[view.language]
  if (list === 'out') {
    return html`${formOf(view, order, { act: 'recall', label: w.bringBack, className: 'again' })}
${formOf(view, order, { act: 'fulfil', label: w.delivered, className: 'bump' })}`
  }
  if (list !== 'ready' || !isWhole(order)) return false
  if (order.mode === 'delivery') return formOf(view, order, { act: 'out', label: w.sendOut, className: 'bump' })
  const isOnBoard = order.tableTitle === null
  return html`${isOnBoard && formOf(view, order, { act: 'call', label: w.call, className: 'again' })}
${formOf(view, order, { act: 'fulfil', label: w.handOver, className: 'bump' })}`
}

/** The orders that were handed over lately, each with a button that undoes a mistaken hand-over. */
function recentOf(view: View, recent: HandedOver[]): Html {
  const w = words[view.language]
  return html`<summary>${w.recent}</summary>${
    recent.length === 0
      ? html`<p class="quiet">${w.nothingRecent}</p>`
      : html`<ul>${recent.map(
          order =>
            html`<li><strong>${order.number}</strong> ${whoseOf(view, order)} ${view.formats.time(order.since)} <span class="quiet">${order.dishes}</span> ${formOf(view, order, { act: 'recall', label: w.bringBack })}</li>`,
        )}</ul>`
  }`
}

interface ActForm {
  act: PassActName
  label: string
  batch?: number | null
  className?: string
}

function formOf({ link }: View, order: HandedOver | PassOrder, { act, label, batch, className }: ActForm): Html {
  return html`<form method="post" action="${link(`${here}/act`)}"><input type="hidden" name="ticket" value="${order.id}"><input type="hidden" name="shown" value="${shownAtPass(order, act)}">${
    batch != null && html`<input type="hidden" name="line" value="${batch}">`
  }<button class="${className}" name="act" value="${act}">${label}</button></form>`
}

function timezoneOf(app: App, id: LocationId): string | undefined {
  return app.store.catalogue.current().locations.find(location => location.id === id)?.timezone
}

/** The page of the pass; `refused` says why an act without script was refused. */
function passPage(app: App, call: Call<DeviceCaller>, refused?: string): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  const { version, content } = app.screens.show(askOf(app, call))
  const { parts, tickets } = content
  const zone = timezoneOf(app, call.caller.device.locationId) ?? view.zone
  const list = (name: List) =>
    html`<section class="pass-list" id="${name}" tabindex="0" aria-labelledby="${name}-head"><h2 id="${name}-head">${parts[`${name}-head`]}</h2>
<p class="empty">${w.empty[name]}</p>
${tickets.filter(card => card.list === name).map(card => card.html)}</section>`
  const body = html`<body class="kitchen pass" data-board="${view.link(`${here}/board`)}" data-acts="${view.link(`${here}/act`)}" data-version="${version}" data-now="${view.now}" data-zone="${zone}">
${notLiveBanner(view)}
${refreshWithoutScript(REFRESH_S, view.link(here, { drawn: version }))}
<header class="kitchen-bar">
<h1>${w.title}</h1>
<a class="button" href="${view.link('/kitchen')}">${w.stations}</a>
${screenTools(view)}
</header>
${setUpStrip(view)}
<div id="alarms" role="status">${refused !== undefined && html`<p class="note bad" role="alert">${refused}</p>`}${parts.alarms}</div>
<main id="board" class="pass-board">${lists.map(list)}</main>
<footer class="recent"><details id="recent">${parts.recent}</details></footer>
${scriptWords(view)}
</body>`
  return { kind: 'html', status: refused === undefined ? 200 : 409, html: documentOf(view, w.title, body, 'kitchen') }
}
