import type { Role } from '../../../store/people/staff.ts'
import { type Html, html } from '../../html/html.ts'
import type { View } from '../../page/view.ts'
import { words } from '../words/settings.ts'

const tabs = [
  { key: 'site', path: '/office/settings' },
  { key: 'guests', path: '/office/guests' },
  { key: 'backups', path: '/office/settings/backups' },
  { key: 'examination', path: '/office/settings/examination' },
  { key: 'activity', path: '/office/settings/activity' },
  { key: 'staff', path: '/office/staff', role: 'owner' },
  { key: 'devices', path: '/office/devices' },
  { key: 'printers', path: '/office/printers' },
  { key: 'sessions', path: '/office/sessions', role: 'owner' },
] as const satisfies { key: keyof (typeof words)['en']; path: string; role?: Role }[]

/** The pages of the settings that the person may see, with the current one marked. */
export function settingsTabs(view: View, current: (typeof tabs)[number]['key']): Html {
  const w = words[view.language]
  const seen = tabs.filter(tab => !('role' in tab) || view.person?.role === tab.role)
  return html`<nav class="chips" aria-label="${w.title}">${seen.map(
    ({ key, path }) =>
      html`<a class="chip" href="${view.link(path)}" aria-current="${key === current && 'page'}">${w[key]}</a>`,
  )}</nav>`
}
