import type { Role } from '../../store/people/staff.ts'
import type { Store } from '../../store/store.ts'
import { type Html, html } from '../html/html.ts'
import type { View } from '../page/view.ts'
import { words } from './words/home.ts'

const DAY_MS = 86_400_000

/** Something that waits for a person or is wrong, and where it is mended. */
interface Matter {
  isWrong: boolean
  sentence: string
  path: string
}

/** What needs the person who is logged in, as far as their role can do something about it. */
export function attention(view: View, store: Store): Html {
  const role = view.person?.role ?? 'staff'
  const w = words[view.language]
  const matters = mattersOf(view, store, role)
  if (matters.length === 0) return html`<p class="note done">${w.nothing}</p>`
  return html`<ul class="stack tight">${matters.map(
    ({ isWrong, sentence, path }) =>
      html`<li class="note ${isWrong ? 'bad' : ''}"><span>${sentence}</span><a class="button" href="${linkTo(view, path)}">${w.look}</a></li>`,
  )}</ul>`
}

function linkTo({ link }: View, path: string) {
  const { pathname, searchParams } = new URL(path, 'http://site')
  return link(pathname, Object.fromEntries(searchParams))
}

function mattersOf(view: View, store: Store, role: Role): Matter[] {
  const w = words[view.language]
  const matters: Matter[] = []
  const add = (isSo: boolean, isWrong: boolean, sentence: string, path: string) => {
    if (isSo) matters.push({ isWrong, sentence, path })
  }

  const late = store.orderList.count({ isLate: true })
  add(late > 0, true, w.late(late), '/office/orders?late=1')
  const twice = store.orderList.sentTwice().size
  add(twice > 0, false, w.twice(twice), '/office/orders?open=1')
  const waiting = store.guestOrders.waiting().length
  add(waiting > 0, false, w.toConfirm(waiting), '/office/orders?open=1')
  const low = store.shelf.list().filter(({ isLow, onHand }) => isLow || onHand < 0).length
  add(low > 0, false, w.low(low), '/office/stock')
  if (role === 'staff') return matters

  const { backupHour, moduleEnabled, apiEnabled } = store.settings.current()
  const [newest] = store.backups.list()
  add(store.catalogue.current().locations.length === 0, false, w.noMenu, '/office/menu/file')
  add(newest?.failure != null, true, w.backupFailed, '/office/settings/backups')
  add(backupHour === null, false, w.noBackup, '/office/settings/backups')
  if (role === 'manager') return matters

  const { secrets, log, active } = store.webhooks
  const lost = log.countsSince(view.now - DAY_MS).reduce((sum, counts) => sum + counts.lost, 0)
  add(lost > 0, true, w.lost(lost), '/office/integrations/lost')
  add(active().length > 0 && secrets.createdAt().length === 0, false, w.unsigned, '/office/integrations/webhooks')
  add(!moduleEnabled || !apiEnabled, false, w.apiOff, '/office/integrations')
  return matters
}
