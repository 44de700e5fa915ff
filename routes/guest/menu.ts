import type { Category, Item, Location } from '../../store/catalogue/catalogue.ts'
import { decimalText } from '../../store/terms/money.ts'
import { type Html, html } from '../html/html.ts'
import { queryOf } from '../http/head.ts'
import { allergenFilter, allergenLines, avoidedBy, warnings } from './allergens.ts'
import { countOf, quoteCart, readCart } from './cart.ts'
import { type GuestView, guestPage, guestView, hereWith, said, textOf } from './guest-page.ts'
import type { GuestHandler, Setting } from './setting.ts'
import { stateNote } from './wait.ts'
import { words as around } from './words/guest.ts'
import { words } from './words/menu.ts'

/**
 * GET {base}: the menu. Its structured data is microdata: JSON-LD would be an inline script, which the policy of the pages does not
 * allow.
 */
export const readMenu: GuestHandler = (app, call, setting) => {
  const view = guestView(app, call, setting)
  const w = words[view.language]
  const query = queryOf(call.exchange.request)
  const q = (query.get('q') ?? '').trim().slice(0, 100)
  const { avoided, cookies } = avoidedBy(app, call.exchange, setting)
  const { whole, location } = setting
  const cart = readCart(call.exchange, setting)
  const added = [...whole.items.values()].find(({ id }) => String(id) === query.get('added'))
  const isFound = (item: Item) => matches(view, item, q)
  const isAnyFound = whole.categories.some(({ items }) => items.some(isFound))
  const quoted = cart.lines.length > 0 ? quoteCart(app, setting, cart) : undefined
  const needsLook = quoted?.lines.some(({ faults }) => faults.length > 0) || quoted?.refusal !== undefined
  const body = html`<div itemscope="" itemtype="https://schema.org/Restaurant">
<h1 itemprop="name" class="sr">${view.siteTitle}</h1>
${location.address !== null && html`<meta itemprop="address" content="${location.address}">`}
${location.phone !== null && html`<meta itemprop="telephone" content="${location.phone}">`}
${stateNote(app, view, setting)}
<p class="note done" id="added" role="status" hidden="${added === undefined}">${added && w.added(textOf(view, added) ?? '')}</p>
<form method="get" action="${view.at()}" role="search" class="find"><label class="sr" for="q">${w.search}</label><input id="q" name="q" type="search" value="${q}" maxlength="100" placeholder="${w.search}" autocomplete="off"><button>${w.find}</button></form>
${allergenFilter(view, setting, avoided, q)}
<nav class="cats" aria-label="${w.sections}">${whole.categories.map(category => html`<a class="chip" href="${hereWith(view, {}, `section-${category.id}`)}">${said(view, category)}</a>`)}</nav>
<p class="card empty" id="nothing-found" role="status" hidden="${isAnyFound}">${whole.items.size === 0 ? w.noDishes : w.nothingFound} ${q !== '' && html`<a href="${view.at()}">${w.wholeMenu}</a>`}</p>
<div itemprop="hasMenu" itemscope="" itemtype="https://schema.org/Menu">
${whole.categories.map(category => sectionOf(category))}
</div>
${terms(view, setting)}
</div>`

  function sectionOf(category: Category): Html {
    const { id, items, description } = category
    return html`<section id="section-${id}" itemprop="hasMenuSection" itemscope="" itemtype="https://schema.org/MenuSection" hidden="${!items.some(isFound)}">
<h2 itemprop="name">${said(view, category)}</h2>
${description !== null && html`<p class="quiet">${said(view, category, 'description')}</p>`}
${items.map(item => dishRow(view, setting, item, { isHidden: !isFound(item), warned: warnings(view, item, avoided) }))}
</section>`
  }

  return guestPage(view, setting, {
    title: around[view.language].menu,
    cookies,
    body,
    bar:
      quoted &&
      html`<nav class="cart" id="cart" aria-label="${around[view.language].yourOrder}"><a class="button primary" href="${view.at('/cart')}"><span>${around[view.language].yourOrder}, ${around[view.language].dishes(countOf(cart))}</span> <span class="num">${needsLook ? around[view.language].lookAt : quoted.quote && money(view, location, quoted.quote.priced.grandTotal)}</span></a></nav>`,
  })
}

/** An amount in minor units as text in the guest's language. */
export function money(view: GuestView, { exponent, currency }: Location, minor: number): string {
  return view.formats.money(minor, exponent, currency)
}

/** Whether a dish has all words of a search, in its own language or in the guest's. */
function matches(view: GuestView, item: Item, q: string): boolean {
  if (q === '') return true
  const texts = [item.number, item.title, item.description, textOf(view, item), textOf(view, item, 'description')]
  const text = folded(texts.join(' '))
  return folded(q)
    .split(' ')
    .every(word => text.includes(word))
}

/** Without accents and in lower case, so that "pao" finds "Pão". */
function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()
}

function dishRow(
  view: GuestView,
  { menu, location }: Setting,
  item: Item,
  { isHidden, warned }: { isHidden: boolean; warned: Html | null },
): Html {
  const w = words[view.language]
  const offered = menu.items.get(item.id)
  const sizes = (offered ?? item).variations
  const lowest = sizes.length > 0 ? Math.min(...sizes.map(({ price }) => price)) : item.price
  const isFrom = new Set(sizes.map(({ price }) => price)).size > 1
  const price = money(view, location, lowest)
  // The script searches these texts as well as those that are shown.
  const sought = [item.number, item.title, item.description].join(' ')
  const content = html`<h3>${item.number !== null && html`<span class="quiet">${item.number}</span> `}<span itemprop="name">${said(view, item)}</span></h3>
<span class="price" itemprop="offers" itemscope="" itemtype="https://schema.org/Offer"><meta itemprop="price" content="${decimalText(lowest, location.exponent)}"><meta itemprop="priceCurrency" content="${location.currency}">${offered ? (isFrom ? w.from(price) : price) : html`${w.soldOut}<meta itemprop="availability" content="https://schema.org/SoldOut">`}</span>
${item.image !== null && html`<img class="pic" itemprop="image" src="${imageOf(view, item.image)}" alt="" width="96" height="96" loading="lazy" decoding="async">`}
${item.description !== null && html`<p itemprop="description">${said(view, item, 'description')}</p>`}
${warned}
${marks(view, item)}`
  return html`<div class="${offered ? 'dish' : 'dish out'}" id="dish-${item.id}" data-find="${sought}" itemprop="hasMenuItem" itemscope="" itemtype="https://schema.org/MenuItem" hidden="${isHidden}">${
    offered ? html`<a href="${view.at(`/dish/${item.id}`)}">${content}</a>` : html`<div>${content}</div>`
  }</div>`
}

/** The address of an image of the menu. */
export function imageOf(view: GuestView, image: string) {
  return view.link(`/${image.split('/').map(encodeURIComponent).join('/')}`)
}

/** Labels, spice, alcohol and allergens of a dish, in words. */
export function marks(view: GuestView, item: Item): Html {
  const w = words[view.language]
  return html`<span class="marks">
${item.labels.map(label => html`<b>${said(view, label)}</b>`)}
${item.spiceLevel !== null && item.spiceLevel > 0 && html`<span>${w.spice(item.spiceLevel)}</span>`}
${item.isAlcohol && html`<span>${w.alcohol}</span>`}
${item.minimumAge !== null && html`<span>${w.fromAge(item.minimumAge)}</span>`}
${allergenLines(view, item)}
</span>`
}

/** The footer about prices: tax, service charge, and the fee and minimum order of a delivery. */
function terms(view: GuestView, { location, modes }: Setting): Html {
  const w = words[view.language]
  const charged = modes.some(mode => location.serviceChargeModes.includes(mode))
  return html`<footer class="terms small quiet">
<p>${location.pricesIncludeTax ? w.withTax : w.plusTax}${charged && location.serviceChargePpm > 0 && html` ${w.serviceCharge(view.formats.percent(location.serviceChargePpm / 1_000_000))}`}</p>
${modes.includes('delivery') && html`<p>${deliveryTerms(view, location)}</p>`}
</footer>`
}

/** "Delivery: fee €2.50, free from €40.00, minimum order €15.00" */
export function deliveryTerms(view: GuestView, location: Location): string {
  const w = words[view.language]
  const { deliveryZones, deliveryFee, freeDeliveryFrom, minimumDelivery } = location
  const fees = deliveryZones.length > 0 ? deliveryZones.map(({ fee }) => fee) : [deliveryFee]
  const minimums =
    deliveryZones.length > 0
      ? deliveryZones.map(({ minimum }) => minimum ?? minimumDelivery ?? 0)
      : [minimumDelivery ?? 0]
  const [low, high, least] = [Math.min(...fees), Math.max(...fees), Math.min(...minimums)]
  const parts = [
    low === high
      ? w.deliveryFee(money(view, location, low))
      : w.deliveryFees(money(view, location, low), money(view, location, high)),
  ]
  if (freeDeliveryFrom !== null) parts.push(w.deliveryFree(money(view, location, freeDeliveryFrom)))
  if (least > 0) parts.push(w.deliveryMinimum(w.from(money(view, location, least))))
  return `${w.delivery}: ${parts.join(', ')}`
}
