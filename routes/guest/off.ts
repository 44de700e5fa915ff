import { html } from '../html/html.ts'
import type { App, Call, Caller } from '../http/handler.ts'
import type { Reply } from '../http/reply.ts'
import { documentOf, languageChoice } from '../page/page.ts'
import { viewOf } from '../page/view.ts'
import { words } from './words/guest.ts'

/** The page (404) where guests cannot order: ordering is not switched on there, or the code belongs to no table. */
export function offPage(app: App, call: Pick<Call<Caller>, 'exchange' | 'caller'>, why: 'off' | 'code'): Reply {
  const view = viewOf(app, call)
  const w = words[view.language]
  const [title, help] = why === 'off' ? [w.off, w.offHelp] : [w.wrongCode, w.wrongCodeHelp]
  const body = html`<body class="alone"><main id="main"><h1>${title}</h1><p>${help}</p></main>
<footer>${languageChoice(view)}</footer></body>`
  return { kind: 'html', status: 404, html: documentOf(view, title, body, 'guest') }
}
