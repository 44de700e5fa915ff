import type { Alarm } from '../../display/alarm.ts'
import { type Formats, formats } from '../../display/formats.ts'
import { acceptedLanguage, type Language, languages } from '../../display/language.ts'
import type { Role } from '../../store/people/staff.ts'
import type { Link } from '../html/link.ts'
import type { Assets } from '../http/assets.ts'
import { cookieOf } from '../http/cookie.ts'
import type { App, Call, Caller } from '../http/handler.ts'
import type { Exchange } from '../http/reply.ts'

/** What every page needs to know besides its own data. */
export interface View {
  language: Language
  formats: Formats
  /** Makes addresses of this site. */
  link: Link
  siteTitle: string
  /** The site's time zone. */
  zone: string
  /** Now, in UTC milliseconds. */
  now: number
  /** The path and query of this page, below the base path. */
  here: string
  /** Who is logged in; null on pages for everybody. */
  person: { name: string; role: Role } | null
  /** Whether they use a paired device, which others use, too. */
  isShared: boolean
  /** The alarms of the kitchens. */
  alarms: Alarm[]
  /** The names of the style sheet, the icon and the scripts of the pages. */
  assets: Pick<Assets, 'styles' | 'icon' | 'script'>
}

export function viewOf(app: App, { exchange, caller }: Pick<Call<Caller>, 'exchange' | 'caller'>): View {
  const { timezone, title } = app.store.settings.current()
  const language = languageOf(exchange)
  return {
    language,
    formats: formats(language, timezone),
    link: app.link,
    siteTitle: title,
    zone: timezone,
    now: app.clock.now(),
    here: hereOf(app, exchange),
    person: caller.kind === 'person' ? caller.person : null,
    isShared: caller.kind === 'person' && caller.device !== null,
    alarms: app.alarms.current(),
    assets: app.assets,
  }
}

/** The cookie of the person's choice, else the language that the browser asks for. */
export function languageOf({ request }: Exchange): Language {
  const chosen = cookieOf(request, 'language')
  return languages.find(each => each === chosen) ?? acceptedLanguage(request.headers['accept-language'])
}

function hereOf({ basePath }: App, { request }: Exchange): string {
  const { url = '/' } = request
  return url.startsWith(`${basePath}/`) ? url.slice(basePath.length) : '/'
}
