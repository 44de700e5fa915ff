import { type Html, html } from '../html/html.ts'
import { cookieOf } from '../http/cookie.ts'
import type { App, Call, Caller } from '../http/handler.ts'
import { queryOf } from '../http/head.ts'
import type { Exchange, Reply } from '../http/reply.ts'
import { documentOf } from '../page/page.ts'
import { type View, viewOf } from '../page/view.ts'
import { words } from './words/kiosk.ts'

export const kioskBase = '/kiosk'

// After so many seconds without a touch, the script of a kiosk asks whether somebody is there, or starts afresh at once.
const IDLE_S = 45
const NUMBER_S = 30

/** How a page of a kiosk behaves by itself. */
export interface KioskPage {
  /** What happens when nobody touches the screen: the guest is asked, or it starts afresh; 'number': sooner. By default they are asked. */
  whenIdle?: 'ask' | 'number' | 'start' | 'nothing'
  /** What the server says about taking orders (`kioskState`); the page is loaded again when that changes. */
  state?: string
}

/** Whether the guest at a kiosk wants everything in the lower half of the screen: by a link, else by the one before. */
export function isLowered({ request }: Exchange): boolean {
  return (queryOf(request).get('low') ?? cookieOf(request, 'kiosk_low')) === '1'
}

/** Changes when a kiosk begins or ends taking orders, and with the program, so that a start page that shows the former is loaded again. */
export function kioskState({ assets }: App, state: 'off' | 'open' | 'closed', until: number | null = null): string {
  return [state, until ?? '', assets.styles(), assets.script('guest') ?? ''].join(' ')
}

/** The body of a page of a kiosk, with what its script needs to know. */
export function kioskBody(view: View, content: Html, isLow: boolean, { whenIdle = 'ask', state }: KioskPage): Html {
  const idle = whenIdle === 'nothing' ? undefined : whenIdle === 'number' ? NUMBER_S : IDLE_S
  return html`<body class="${isLow ? 'guest kiosk low' : 'guest kiosk'}" data-kiosk="${view.link(kioskBase)}" data-idle="${idle}" data-asks="${whenIdle === 'ask'}" data-state="${state}">
${content}
${overlays(view)}
</body>`
}

/** The controls of a kiosk that stand above each of its pages. */
export function kioskControls(view: View, isLow: boolean, canEnd: boolean): Html {
  const w = words[view.language]
  const { pathname } = new URL(view.here, 'http://site')
  return html`<nav class="kiosk-controls"><a class="button" href="${view.link(pathname, { low: isLow ? 0 : 1 })}">${isLow ? w.high : w.low}</a>${canEnd && html`<button form="kiosk-end">${w.startAgain}</button>`}</nav>`
}

/** What the script shows over a page: the question whether somebody is there, and that the server is not. */
function overlays({ language, link }: View): Html {
  const w = words[language]
  return html`<form id="kiosk-end" method="post" action="${link(`${kioskBase}/end`)}"></form>
<dialog id="still-there" class="kiosk-over" aria-labelledby="still-there-head"><div class="card"><h2 id="still-there-head">${w.stillThere}</h2><p>${w.soonGone} <strong data-seconds=""></strong></p>
<button class="primary" type="button" data-stay="">${w.stay}</button><button form="kiosk-end">${w.startAgain}</button></div></dialog>
<div id="offline" class="kiosk-over" role="alert" hidden=""><div class="card"><h2>${w.offline}</h2><p>${w.offlineHelp}</p></div></div>`
}

/** The page of a kiosk whose location does not offer it now. It comes back by itself. */
export function kioskOff(app: App, call: Pick<Call<Caller>, 'exchange' | 'caller'>): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  const content = html`<main id="main" class="kiosk-start"><h1>${w.off}</h1><p>${w.atCounter}</p></main>`
  const body = kioskBody(view, content, false, { whenIdle: 'nothing', state: kioskState(app, 'off') })
  return { kind: 'html', status: 404, html: documentOf(view, w.off, body, 'guest') }
}
