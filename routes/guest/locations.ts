import type { Location } from '../../store/catalogue/catalogue.ts'
import { html } from '../html/html.ts'
import type { Handler } from '../http/handler.ts'
import { guestPage, guestView } from './guest-page.ts'
import { offPage } from './off.ts'
import { type Setting, settingAt } from './setting.ts'
import { closureOf, opensText } from './wait.ts'
import { words } from './words/guest.ts'

/** GET {basePath}/order: the locations at which guests can order. If there is only one, it leads to its menu. */
export const readLocations: Handler = (app, call) => {
  const { locations } = app.store.catalogue.current()
  const settings = locations.flatMap(({ id }) => settingAt(app, 'storefront', storefrontOf(id)) ?? [])
  const [first] = settings
  if (!first) return offPage(app, call, 'off')
  if (settings.length === 1) return { kind: 'redirect', to: app.link(first.base) }
  const setting: Setting = { ...first, base: '/order' }
  const view = guestView(app, call, setting)
  const w = words[view.language]
  return guestPage(view, setting, {
    title: w.whichPlace,
    isAnyPlace: true,
    body: html`<h1>${w.whichPlace}</h1>
<ul class="places">${settings.map(each => {
      const closure = closureOf(app, each)
      const state = closure ? (opensText(guestView(app, call, each), closure) ?? w.closed) : w.open
      return html`<li><a class="card" href="${app.link(each.base)}"><b>${each.location.title}</b>${each.location.address !== null && html`<span class="quiet">${each.location.address}</span>`}<span class="${closure ? 'state wait' : 'state done'}">${state}</span></a></li>`
    })}</ul>`,
  })
}

function storefrontOf(locationId: Location['id']) {
  return { locationId, table: null, base: `/order/${locationId}` }
}
