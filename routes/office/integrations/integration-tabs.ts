import { type Html, html } from '../../html/html.ts'
import type { View } from '../../page/view.ts'
import { words } from '../words/integrations.ts'

const tabs = [
  ['api', '/office/integrations'],
  ['webhooks', '/office/integrations/webhooks'],
  ['deliveries', '/office/integrations/deliveries'],
  ['lost', '/office/integrations/lost'],
  ['refused', '/office/integrations/refused'],
] as const

/** The pages of Integrations, with the current one marked. */
export function integrationTabs(view: View, current: (typeof tabs)[number][0]): Html {
  const w = words[view.language]
  return html`<nav class="chips" aria-label="${w.title}">${tabs.map(
    ([key, path]) =>
      html`<a class="chip" href="${view.link(path)}" aria-current="${key === current && 'page'}">${w[key]}</a>`,
  )}</nav>`
}
