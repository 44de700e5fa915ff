import { findingText } from '../../../display/finding.ts'
import type { Finding } from '../../../store/terms/finding.ts'
import { type Html, html } from '../../html/html.ts'
import type { Handler, PersonCaller } from '../../http/handler.ts'
import { queryOf } from '../../http/head.ts'
import { page } from '../../page/page.ts'
import { type View, viewOf } from '../../page/view.ts'
import { words } from '../words/settings.ts'
import { settingsTabs } from './settings-tabs.ts'

const here = '/office/settings/examination'

/** GET {basePath}/office/settings/examination: what the command `doctor` finds, once the person asks for it. */
export const readExamination: Handler<PersonCaller> = async (app, call) => {
  const view = viewOf(app, call)
  const w = words[view.language]
  const isWanted = queryOf(call.exchange.request).get('now') === 'yes'
  const found = isWanted ? await app.reader.read('examine', app.siteRoot, view.now) : undefined
  return page(view, {
    title: w.title,
    room: 'settings',
    body: html`${settingsTabs(view, 'examination')}
<form action="${view.link(here)}" class="card stack"><p>${w.examineHelp}</p>
<div><button class="primary" name="now" value="yes">${w.examine}</button></div></form>
${found && findings(view, found.problems, found.warnings)}`,
  })
}

/** The findings themselves are in English, as the command prints them. */
function findings(view: View, problems: Finding[], warnings: Finding[]): Html {
  const w = words[view.language]
  const list = (found: Finding[], style: string, label: string) =>
    found.map(
      finding => html`<li><span class="state ${style}">${label}</span><p lang="en">${findingText(finding)}</p></li>`,
    )
  const counts = [
    ...(problems.length > 0 ? [w.problems(problems.length)] : []),
    ...(warnings.length > 0 ? [w.warnings(warnings.length)] : []),
  ]
  return html`<p class="note ${problems.length > 0 ? 'bad' : 'done'}" role="status">${problems.length === 0 && w.well} ${view.formats.list(counts)}</p>
${counts.length > 0 && html`<ul class="card stack findings">${[...list(problems, 'bad', w.problem), ...list(warnings, 'wait', w.warning)]}</ul><p class="quiet">${w.examineGuide}</p>`}`
}
