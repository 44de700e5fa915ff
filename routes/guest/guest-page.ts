import { formats } from '../../display/formats.ts'
import {
  acceptedAmong,
  acceptedLanguage,
  baseLanguage,
  directionOf,
  languages,
  nameOfLanguage,
} from '../../display/language.ts'
import { tableText } from '../../display/terms.ts'
import type { Translations } from '../../store/catalogue/catalogue.ts'
import { isHttps } from '../access/cookies.ts'
import { type Html, html } from '../html/html.ts'
import type { Address, Query } from '../html/link.ts'
import { cookieOf } from '../http/cookie.ts'
import type { App, Call, Caller } from '../http/handler.ts'
import { queryOf } from '../http/head.ts'
import type { Exchange, PageStatus, Reply } from '../http/reply.ts'
import { documentOf } from '../page/page.ts'
import { type View, viewOf } from '../page/view.ts'
import { isLowered, type KioskPage, kioskBody, kioskControls } from './kiosk-frame.ts'
import type { Setting } from './setting.ts'
import { words } from './words/guest.ts'

/** What every page for guests needs besides its own data. */
export interface GuestView extends View {
  /** The tag of the language in which the guest reads the menu. The page's own words are in the nearest of its three languages. */
  tongue: string
  /** The tags of the languages that the guest can choose from. */
  tongues: string[]
  /** The tag of the language of the untranslated titles; undefined: not known. */
  titlesIn: string | undefined
  /** Set-Cookie headers that keep what the guest chose by a link. */
  cookies: string[]
  /** Whether the guest at a kiosk wants everything in the lower half of the screen. */
  isLow: boolean
  /** The address of a page of this setting. */
  at(path?: string, query?: Query, element?: string): Address
}

/** The view of a guest. Their language comes from the query, else from the cookie of an earlier choice, else from the browser. */
export function guestView(app: App, call: Pick<Call<Caller>, 'exchange' | 'caller'>, setting: Setting): GuestView {
  const { exchange } = call
  const { languages: menuLanguages } = setting.menu
  const header = exchange.request.headers['accept-language']
  // The pages' own languages, except those that the menu has in any form, such as pt-BR.
  const others = languages.filter(each => menuLanguages.every(tag => baseLanguage(tag) !== each))
  const tongues = [...menuLanguages, ...others]
  const linked = queryOf(exchange.request).get('lang')
  const kept = cookieOf(exchange.request, 'guest_language')
  const chosen = tongues.find(tag => tag === linked)
  const tongue = chosen ?? tongues.find(tag => tag === kept) ?? acceptedAmong(header, tongues) ?? tongues[0] ?? 'en'
  const language = languages.find(each => each === baseLanguage(tongue)) ?? acceptedLanguage(header)
  const { timezone } = setting.location
  const isKiosk = setting.kind === 'kiosk'
  const isLowLinked = queryOf(exchange.request).has('low')
  const isLow = isKiosk && isLowered(exchange)
  return {
    ...viewOf(app, call),
    language,
    formats: formats(language, timezone),
    zone: timezone,
    tongue,
    tongues,
    titlesIn: menuLanguages[0],
    cookies: [
      ...(chosen === undefined ? [] : [guestCookie(app, exchange, setting, 'guest_language', chosen, YEAR_S)]),
      ...(isKiosk && isLowLinked ? [guestCookie(app, exchange, setting, 'kiosk_low', isLow ? '1' : '0', YEAR_S)] : []),
    ],
    isLow,
    at: (path = '', query, element) => app.link(`${setting.base}${path}`, query, element),
  }
}

const YEAR_S = 31_536_000

/** The Set-Cookie header that keeps a value in a guest's browser for the pages of its setting; with 0 seconds it removes the cookie. */
export function guestCookie(
  app: App,
  exchange: Exchange,
  { base }: Pick<Setting, 'base'>,
  name: string,
  value: string,
  seconds: number,
): string {
  const secure = isHttps(app, exchange) ? '; Secure' : ''
  return `${name}=${value}; Path=${app.basePath}${base}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

/** The texts of a part of the menu, such as a dish or an allergen. */
interface Texts {
  title: string
  description?: string | null
  translations: Translations
}

/** A text of the menu in the guest's language if it is translated, as plain text; null: there is none. */
export function textOf(view: GuestView, part: Texts, which: 'title' | 'description' = 'title'): string | null {
  return part.translations[view.tongue]?.[which] ?? part[which] ?? null
}

/** The same as HTML, marked with its language where that is not the language of the page. */
export function said(view: GuestView, part: Texts, which: 'title' | 'description' = 'title'): Html | null {
  const text = textOf(view, part, which)
  if (text === null) return null
  const isTranslated = Boolean(part.translations[view.tongue]?.[which])
  const tag = isTranslated ? view.tongue : view.titlesIn
  if (tag === undefined || tag === view.language) return html`${text}`
  return html`<span lang="${tag}" dir="${directionOf(tag)}">${text}</span>`
}

export interface GuestPage {
  /** The title of the document. The body has the heading. */
  title: string
  body: Html
  status?: PageStatus
  cookies?: string[]
  /** A bar that stays at the lower edge of the screen. */
  bar?: Html | undefined
  /** Whether the page is not about one location. */
  isAnyPlace?: boolean
  /** The link back; undefined: there is none. */
  back?: { to: Address; label: string }
  /** How the page behaves on a kiosk. */
  kiosk?: KioskPage
}

/** A page for guests: the restaurant, the place and the languages, then its body. */
export function guestPage(view: GuestView, setting: Setting, given: GuestPage): Reply {
  const { title, body, status = 200, cookies = [], bar, back, isAnyPlace = false, kiosk = {} } = given
  const w = words[view.language]
  const table = setting.table ? tableText(setting.table.title, view.language) : undefined
  const place = isAnyPlace ? [] : [setting.location.title, table]
  const shownPlace = place.filter(part => part !== undefined && part !== view.siteTitle)
  const { isLow } = view
  const isKiosk = setting.kind === 'kiosk'
  const isStart = kiosk.whenIdle !== undefined && kiosk.whenIdle !== 'ask'
  const header =
    !isStart &&
    html`<header class="where">
<p>${back ? html`<a class="back" href="${back.to}">${back.label}</a>` : html`<b>${view.siteTitle}</b>`} <span class="quiet">${shownPlace.join(' · ')}</span></p>
${languageLinks(view)}
</header>`
  const content = html`<a class="skip" href="#main">${w.skip}</a>
${header}
${isKiosk && kioskControls(view, isLow, hereWith(view, { low: isLow ? 0 : 1 }), !isStart)}
<main id="main" tabindex="-1">${body}</main>
${bar}`
  const whole = isKiosk ? kioskBody(view, content, isLow, kiosk) : html`<body class="guest">${content}</body>`
  return {
    kind: 'html',
    status,
    html: documentOf(view, title, whole, 'guest'),
    cookies: [...view.cookies, ...cookies],
  }
}

/** The address of the page that is shown, with other values in its query, or leading to an element on it. */
export function hereWith(view: GuestView, changed: Query, element?: string): Address {
  const here = new URL(view.here, 'http://site')
  const query = [...here.searchParams.keys()].map(name => [name, here.searchParams.getAll(name)] as const)
  return view.link(here.pathname, { ...Object.fromEntries(query), ...changed }, element)
}

/** Links to the same page in the other languages. */
function languageLinks(view: GuestView): Html {
  return html`<nav class="tongues" aria-label="${words[view.language].language}">${view.tongues.map(
    tag =>
      html`<a href="${hereWith(view, { lang: tag })}" lang="${tag}" hreflang="${tag}" aria-current="${tag === view.tongue && 'true'}">${tag.toUpperCase()}<span class="sr"> ${nameOfLanguage(tag)}</span></a>`,
  )}</nav>`
}
