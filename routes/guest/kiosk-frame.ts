import { type Html, html } from '../html/html.ts'
import type { Address } from '../html/link.ts'
import { cookieOf } from '../http/cookie.ts'
import type { App, Call, Caller } from '../http/handler.ts'
import { queryOf } from '../http/head.ts'
import type { Exchange, Reply } from '../http/reply.ts'
import { documentOf } from '../page/page.ts'
import { type View, viewOf } from '../page/view.ts'
import { words } from './words/kiosk.ts'

export const kioskBase = '/kiosk'

// After this many seconds without a touch, the script of a kiosk asks whether somebody is still there, or starts afresh at once.
const IDLE_S = 45
const NUMBER_S = 30

/** How a page of a kiosk behaves by itself. */
export interface KioskPage {
  /**
   * What happens when nobody touches the screen: by default the guest is asked whether they are still there ('ask'). With 'start' the
   * kiosk starts afresh without asking, and with 'number' it does so sooner.
   */
  whenIdle?: 'ask' | 'number' | 'start' | 'nothing'
  /** Whether orders are taken, as `kioskState` says it; the script loads the page again when this changes. */
  state?: string
}

/** Whether everything is in the lower half of the screen: by the query, else by the cookie of an earlier choice. */
export function isLowered({ request }: Exchange): boolean {
  return (queryOf(request).get('low') ?? cookieOf(request, 'kiosk_low')) === '1'
}

/**
 * A text that differs when a kiosk begins or stops taking orders, and after an upgrade of the program, so that an outdated start page
 * is loaded again.
 */
export function kioskState({ assets }: App, state: 'off' | 'open' | 'closed', until: number | null = null): string {
  return [state, until ?? '', assets.styles(), assets.script('guest') ?? ''].join(' ')
}

/** The body of a page of a kiosk, with the attributes that its script reads. */
export function kioskBody(view: View, content: Html, isLow: boolean, { whenIdle = 'ask', state }: KioskPage): Html {
  const idle = whenIdle === 'nothing' ? undefined : whenIdle === 'number' ? NUMBER_S : IDLE_S
  return html`<body class="${isLow ? 'guest kiosk low' : 'guest kiosk'}" data-kiosk="${view.link(kioskBase)}" data-idle="${idle}" data-asks="${whenIdle === 'ask'}" data-state="${state}">
${content}
${overlays(view)}
</body>`
}

/** The controls at the top of each page of a kiosk. `toggle` leads to the same page in the other half of the screen. */
export function kioskControls({ language }: View, isLow: boolean, toggle: Address, canEnd: boolean): Html {
  const w = words[language]
  return html`<nav class="kiosk-controls"><a class="button" href="${toggle}">${isLow ? w.high : w.low}</a>${canEnd && html`<button form="kiosk-end">${w.startAgain}</button>`}</nav>`
}

/** What the script shows over a page: the question whether somebody is still there, and that the server is out of reach. */
function overlays({ language, link }: View): Html {
  const w = words[language]
  return html`<form id="kiosk-end" method="post" action="${link(`${kioskBase}/end`)}"></form>
<dialog id="still-there" class="kiosk-over" aria-labelledby="still-there-head"><div class="card"><h2 id="still-there-head">${w.stillThere}</h2><p>${w.soonGone} <strong data-seconds=""></strong></p>
<button class="primary" type="button" data-stay="">${w.stay}</button><button form="kiosk-end">${w.startAgain}</button></div></dialog>
<div id="offline" class="kiosk-over" role="alert" hidden=""><div class="card"><h2>${w.offline}</h2><p>${w.offlineHelp}</p></div></div>`
}

/** The page of a kiosk that is switched off at its location. The script loads the start page once it is on again. */
export function kioskOff(app: App, call: Pick<Call<Caller>, 'exchange' | 'caller'>): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  const content = html`<main id="main" class="kiosk-start"><h1>${w.off}</h1><p>${w.atCounter}</p></main>`
  const body = kioskBody(view, content, false, { whenIdle: 'nothing', state: kioskState(app, 'off') })
  return { kind: 'html', status: 404, html: documentOf(view, w.off, body, 'guest') }
}
