import type { PickUp } from '../../store/ordering/pass.ts'
import { type Html, html, refreshWithoutScript } from '../html/html.ts'
import type { App, Call, DeviceCaller, Handler } from '../http/handler.ts'
import type { Ask, Content } from '../http/screens.ts'
import { documentOf } from '../page/page.ts'
import { type View, viewOf } from '../page/view.ts'
import { askFor } from './screen-request.ts'
import { words } from './words/pickup-board.ts'

// How often the page loads itself again in a browser that runs no script.
const REFRESH_S = 10

// Up to how many numbers are shown in this size. More are smaller.
const LARGE = 6
const MEDIUM = 15

/** GET {basePath}/board: shows guests the numbers that are being prepared and those that are ready (decision 057). */
export const readPickUpBoard: Handler<DeviceCaller> = (app, call) => {
  const view = viewOf(app, call)
  const w = words[view.language]
  const { version, content } = app.screens.show(askOf(app, call))
  const { parts } = content
  const body = html`<body class="pickup" data-screen="pickup" data-board="${view.link('/board/numbers')}" data-version="${version}" data-now="${view.now}">
<div id="not-live" class="not-live" role="alert"><strong>${w.notLive}</strong></div>
${refreshWithoutScript(REFRESH_S, view.link('/board', { drawn: version }))}
<main>
<section class="preparing"><h2>${w.preparing}</h2><div id="preparing">${parts.preparing}</div></section>
<section class="ready"><h1>${w.ready}</h1><div id="ready" aria-live="polite">${parts.ready}</div></section>
</main>
<button id="sound" type="button" hidden="">${w.sound}</button>
</body>`
  return { kind: 'html', status: 200, html: documentOf(view, w.ready, body, 'kitchen') }
}

/** GET {basePath}/board/numbers: the same numbers by long polling, like the board of a station (decision 055). */
export const readPickUpNumbers: Handler<DeviceCaller> = (app, call) => app.screens.ask(call.exchange, askOf(app, call))

function askOf(app: App, call: Call<DeviceCaller>): Ask {
  const { locationId } = call.caller.device
  const view = viewOf(app, call)
  return askFor(call, {
    key: `pickup ${locationId} ${view.language}`,
    locationId,
    stations: [],
    make: () => contentOf(app, view, app.store.pass.board(locationId, app.store.settings.current().boardMinutes)),
  })
}

function contentOf(app: App, { language }: View, board: { preparing: number[]; ready: PickUp[] }): Content {
  const w = words[language]
  return {
    parts: {
      preparing: numbersOf(board.preparing.map(number => html`<li>${number}</li>`)),
      ready: numbersOf(
        board.ready.map(
          ({ number, since, until, calledAt }) =>
            html`<li data-number="${number}" data-since="${since}" data-until="${until}" class="${calledAt === since && 'called'}">${number}${calledAt === since && html`<small>${w.called}</small>`}</li>`,
        ),
      ),
    },
    tickets: [],
    seq: 0,
    unseen: [],
    script: app.assets.script('kitchen'),
  }
}

function numbersOf(items: Html[]): Html {
  const size = items.length <= LARGE ? 'large' : items.length <= MEDIUM ? 'medium' : 'small'
  return html`<ul class="${size}">${items}</ul>`
}
