import { alarmText, isWarning } from '../../display/alarm.ts'
import { type Html, html } from '../html/html.ts'
import type { View } from './view.ts'
import { words } from './words.ts'

const MOST_SHOWN = 3

/** The alarms of the kitchens on a page of the office. On pages that refresh themselves, the script keeps them up to date. */
export function alarmNotes({ alarms, language, formats, link }: View): Html {
  const urgent = alarms.filter(alarm => !isWarning(alarm))
  const [first, ...others] = urgent.slice(0, MOST_SHOWN).map(alarm => alarmText(alarm, language, formats))
  if (first === undefined) return html`<div id="alarms" role="status"></div>`
  const w = words[language]
  const more = urgent.length - MOST_SHOWN
  return html`<div id="alarms" role="status"><div class="note bad"><div><strong>${first}</strong>${others.map(text => html`<br>${text}`)}${more > 0 && html`<br>${w.moreAlarms(more)}`}</div><a class="button" href="${link('/office/kitchen')}">${w.alarm}</a></div></div>`
}
