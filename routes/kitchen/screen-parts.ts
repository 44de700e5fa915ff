import { alarmText, isWarning } from '../../display/alarm.ts'
import type { LocationId } from '../../store/terms/ids.ts'
import { type Html, html } from '../html/html.ts'
import type { App } from '../http/handler.ts'
import type { View } from '../page/view.ts'
import { words } from './words/screen-parts.ts'

/**
 * The banner of a screen that is not live, first in the page. The script (browser/kitchen/station.ts) hides it, so that a page without
 * its script does not look live.
 */
export function notLiveBanner({ language }: View): Html {
  const w = words[language]
  return html`<div id="not-live" class="not-live" role="alert"><strong id="not-live-since">${w.notStarted}</strong> <span>${w.notLiveHelp}</span></div>`
}

/** The alarms of a location without the warnings, as sentences for its screens (decision 056). */
export function alarmsAt(
  { alarms }: Pick<App, 'alarms'>,
  { language, formats }: Pick<View, 'language' | 'formats'>,
  location: LocationId,
): string[] {
  const urgent = alarms.current().filter(alarm => alarm.locationId === location && !isWarning(alarm))
  return urgent.map(alarm => alarmText(alarm, language, formats))
}

/** One line for all alarms, so that the tickets keep their place. It can be opened to read all of them. */
export function alarmStrip([first, ...others]: string[]): Html {
  if (first === undefined) return html``
  return html`<details class="alarms"><summary><strong>${first}</strong>${
    others.length > 0 && html` <span class="more">+${others.length}</span>`
  }</summary>${others.length > 0 && html`<ul>${others.map(alarm => html`<li>${alarm}</li>`)}</ul>`}</details>`
}

/** What the script says about the screen in the bar at the top, and the settings of this screen. */
export function screenTools({ language }: View): Html {
  const w = words[language]
  const sizes = [
    ['small', w.sizeSmall],
    ['medium', w.sizeMedium],
    ['large', w.sizeLarge],
  ] as const
  return html`<button id="fresh-count" class="fresh-count" type="button" hidden=""></button>
<button id="out-of-view" type="button" hidden=""></button>
<p id="live-state" class="state"></p>
<details class="tools"><summary>${w.tools}</summary><div class="sheet">
<fieldset><legend>${w.size}</legend>${sizes.map(
    ([size, title]) =>
      html`<label class="choice"><input type="radio" name="size" value="${size}" data-setting="size" checked="${size === 'medium'}">${title}</label>`,
  )}</fieldset>
<label class="choice"><input type="checkbox" data-setting="counts" checked="">${w.counts}</label>
<button type="button" data-test-sound="">${w.testSound}</button>
<p class="quiet">${w.keys}</p>
</div></details>`
}

/** The strip below the bar that says what this device lacks. The script shows the sentences that apply. */
export function setUpStrip({ language }: View): Html {
  const w = words[language]
  return html`<section id="setup" class="setup" aria-label="${w.setUp}" hidden="">
<details><summary><strong data-lack="sound" hidden="">${w.lacksSound}</strong> <strong data-lack="awake" hidden="">${w.lacksAwake}</strong> <strong data-lack="unknown" hidden="">${w.lacksAwake}</strong></summary>
<ul>
<li data-lack="sound" hidden="">${w.lacksSoundHelp}</li>
<li data-lack="awake" hidden="">${w.lacksAwakeHelp}</li>
<li data-lack="unknown" hidden="">${w.unknownAwakeHelp}
<ul class="steps"><li>${w.android}</li><li>${w.ipad}</li><li>${w.raspberry}</li></ul>
<button type="button" data-stays-awake="">${w.staysAwake}</button></li>
</ul></details>
<button class="primary" type="button" data-start-shift="" hidden="">${w.startShift}</button>
</section>`
}

/** The sentences for the script, and the place where it says what the server refused; last in the page. */
export function scriptWords({ language }: View): Html {
  const w = words[language]
  return html`<p id="refused" class="refused" role="alert"></p>
<div id="words" hidden="" data-live="${w.live}" data-not-live="${w.notLive}" data-unpaired="${w.unpaired}" data-sending="${w.sending}" data-not-sent="${w.notSent}" data-not-sent-count="${w.notSentCount}" data-not-accepted="${w.notAccepted}" data-slow="${w.slow}" data-late="${w.late}" data-fresh="${w.fresh}" data-changed="${w.changed}" data-fresh-count="${w.freshCount}" data-fresh-elsewhere="${w.freshElsewhere}" data-out-of-view="${w.outOfView}" data-done="${w.done}" data-acknowledge-first="${w.acknowledgeFirst}" data-fires="${w.fires}"></div>`
}
