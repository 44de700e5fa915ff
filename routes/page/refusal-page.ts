import { type Html, html } from '../html/html.ts'
import type { App } from '../http/handler.ts'
import { type RefusalCode, type RefusalFormat, refusals } from '../http/refusal.ts'
import type { Exchange } from '../http/reply.ts'
import { secretFields } from './form.ts'
import { documentOf } from './page.ts'
import { viewOf } from './view.ts'
import { words } from './words.ts'

/** Returns what makes the page for a request that is refused. It needs nothing that may just have failed. */
export function refusalPage(app: App): RefusalFormat {
  return (exchange, code) => {
    const view = viewOf(app, { exchange, caller: { kind: 'everybody' } })
    const w = words[view.language]
    const [title, help] = sentencesFor(code, w)
    const body: Html = html`<body class="alone"><main id="main">
<div class="head"><h1>${title}</h1></div>
<p>${help}</p>
<div class="actions">${refusals[code][0] >= 500 && sendAgain(exchange, w)}<a class="button" href="${view.link(startOf(view.here))}">${w.back}</a></div>
<p class="quiet">${w.requestNumber(exchange.id)}</p>
</main></body>`
    return documentOf(view, title, body)
  }
}

/** The path of the start page: for the address of a guests' page it is the menu of the guest, else the office. */
function startOf(here: string): string {
  return /^\/(?:order|t\/[\w-]+|kiosk)(?=[/?]|$)/.exec(here)?.[0] ?? '/'
}

/** The form that failed, to be sent to the same address again. One with a password has to be filled in again. */
function sendAgain({ form }: Exchange, w: (typeof words)['en']): Html | undefined {
  if (!form || [...form.keys()].some(name => secretFields.test(name))) return undefined
  return html`<form method="post">
${[...form].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button class="primary">${w.again}</button></form>`
}

function sentencesFor(code: RefusalCode, w: (typeof words)['en']): [title: string, help: string] {
  const [status] = refusals[code]
  if (status === 404) return [w.notFound, w.notFoundHelp]
  if (status === 413 || status === 431) return [w.tooLarge, w.tooLargeHelp]
  if (code === 'CROSS_SITE') return [w.crossSite, w.crossSiteHelp]
  if (code === 'UNKNOWN_HOST') return [w.unknownHost, w.unknownHostHelp]
  if (status === 401) return [w.notLoggedIn, w.notLoggedInHelp]
  if (status === 403) return [w.notAllowed, w.notAllowedHelp]
  if (code === 'DISK_FAILED') return [w.diskFailed, w.diskFailedHelp]
  if (status === 503) return [w.stopping, w.stoppingHelp]
  if (status >= 500) return [w.failed, w.failedHelp]
  return [w.wrongRequest, w.wrongRequestHelp]
}
