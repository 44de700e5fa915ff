import { languageNames, languages } from '../../display/language.ts'
import type { Role } from '../../store/people/staff.ts'
import { type Html, html } from '../html/html.ts'
import type { Bundle } from '../http/assets.ts'
import type { PageStatus, Reply } from '../http/reply.ts'
import { alarmNotes } from './alarm-notes.ts'
import type { View } from './view.ts'
import { words } from './words.ts'

/** The rooms of the office, in the order of the navigation. On a phone, the first `few` stand at the lower edge. */
const rooms = [
  { key: 'orders', path: '/office/orders', least: 'staff' },
  { key: 'till', path: '/office/till', least: 'staff' },
  { key: 'menu', path: '/office/menu', least: 'staff' },
  { key: 'kitchen', path: '/office/kitchen', least: 'staff' },
  { key: 'stock', path: '/office/stock', least: 'staff' },
  { key: 'money', path: '/office/money', least: 'manager' },
  { key: 'reports', path: '/office/reports', least: 'manager' },
  { key: 'integrations', path: '/office/integrations', least: 'owner' },
  { key: 'settings', path: '/office/settings', least: 'manager' },
] as const satisfies { key: keyof (typeof words)['en']; path: string; least: Role }[]

export type Room = (typeof rooms)[number]['key']

const few = 3

const ranks: Record<Role, number> = { staff: 1, manager: 2, owner: 3 }

/** The rooms that a role may enter. */
export function roomsOf(role: Role) {
  return rooms.filter(({ least }) => ranks[role] >= ranks[least])
}

export interface Page {
  /** The title of the window and the heading of the page. */
  title: string
  /** The room of the navigation to which the page belongs. */
  room?: Room
  /** What stands beside the heading, such as a state or a button. */
  aside?: Html
  body: Html
  status?: PageStatus
  /** Values of Set-Cookie headers. */
  cookies?: string[]
}

/** A page with the navigation of the person who is logged in, or by itself when nobody is. */
export function page(view: View, { title, room, aside, body, status = 200, cookies }: Page): Reply {
  const content = html`<div class="head"><h1>${title}</h1>${aside}</div>${body}`
  const whole = view.person ? withNavigation(view, view.person, room, content) : alone(view, content)
  return { kind: 'html', status, html: documentOf(view, title, whole), ...(cookies && { cookies }) }
}

/** A document with a body of its own, such as a screen or a sheet of paper. `bundle` is its script, and `head` goes into its head. */
export function documentOf(view: View, title: string, body: Html, bundle: Bundle = 'office', head?: Html): Html {
  const { language, link, assets, siteTitle } = view
  const script = assets.script(bundle)
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${siteTitle}</title>
<link rel="stylesheet" href="${link(`/assets/${assets.styles()}`)}">
<link rel="icon" href="${link(`/assets/${assets.icon()}`)}" type="image/svg+xml">
${script !== undefined && html`<script src="${link(`/assets/${script}`)}" defer=""></script>`}
${head}
</head>
${body}
</html>
`
}

function withNavigation(view: View, person: { name: string; role: Role }, room: Room | undefined, content: Html): Html {
  const w = words[view.language]
  const isAmongMore = rooms.findIndex(({ key }) => key === room) >= few || room === undefined
  const entries = roomsOf(person.role).map(
    ({ key, path }, index) =>
      html`<a class="${index >= few ? 'less' : ''}" href="${view.link(path)}" aria-current="${key === room && 'page'}">${w[key]}</a>`,
  )
  return html`<body class="office">
<a class="skip" href="#main">${w.skip}</a>
<nav class="rooms" aria-label="${w.office}">
<a class="site" href="${view.link('/office')}">${view.siteTitle}</a>
${entries}
<a class="only-few" href="${view.link('/office')}" aria-current="${isAmongMore && 'true'}">${w.more}</a>
<div class="person less">
<a href="${view.link('/office/account')}">${person.name}</a>
${view.isShared && html`<a href="${view.link('/pin', { next: view.here })}">${w.switchPerson}</a>`}
<form method="post" action="${view.link('/logout')}"><button class="plain">${w.logOut}</button></form>
</div>
</nav>
<main id="main" tabindex="-1">${alarmNotes(view)}${content}</main>
</body>`
}

function alone(view: View, content: Html): Html {
  return html`<body class="alone">
<main id="main">${content}</main>
<footer>${languageChoice(view)}</footer>
</body>`
}

/** Buttons for the languages of the pages. The one in use is marked. */
export function languageChoice(view: View): Html {
  const buttons = languages.map(
    language =>
      html`<button class="plain" name="language" value="${language}" lang="${language}" aria-pressed="${String(language === view.language)}">${languageNames[language]}</button>`,
  )
  return html`<form class="languages" method="post" action="${view.link('/language')}" aria-label="${words[view.language].language}">
<input type="hidden" name="back" value="${view.here}">${buttons}</form>`
}
