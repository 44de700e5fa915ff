import { parsePage } from '../trusted.ts'
import { acts as keptActs } from './acts.ts'
import { showAge } from './age.ts'
import { awake as stayAwake } from './awake.ts'
import { kitchenBoard } from './board.ts'
import { serverClock } from './clock.ts'
import { keys as listenToKeys } from './keys.ts'
import { stayLive } from './live.ts'
import { morph } from './morph.ts'
import { takePresses } from './presses.ts'
import { reloadWhenIdle } from './reload.ts'
import { keepSettings } from './settings.ts'
import { setUp } from './setup.ts'
import { sound as screenSound } from './sound.ts'
import { setText } from './text.ts'
import { showUnconfirmed } from './unconfirmed.ts'
import { untouchedCards } from './untouched.ts'
import { readWords } from './words.ts'

const soundEveryMs = 3_000
// A card counts as in view if this much of it can be seen.
const headPx = 40
const sleptMs = 3_000
const refusalMs = 20_000

/** Makes the screen of a station or the pass live, a page of routes/kitchen/. */
export function startStation(): void {
  const { body } = document
  const { board: address, acts: actsAddress, now, zone } = body.dataset
  const main = document.getElementById('board')
  if (!main || address === undefined || actsAddress === undefined) return

  const element = (id: string): HTMLElement => {
    const found = document.getElementById(id)
    if (!found) throw new Error(`the page has no ${id}`)
    return found
  }
  const words = readWords(element('words'))
  const state = element('live-state')
  const banner = element('not-live')
  const refusals = element('refused')
  const freshButton = element('fresh-count')
  const moreButton = element('out-of-view')
  const parts = new Map<string, string>()
  const clock = serverClock(Number(now), zone)
  const untouched = untouchedCards(address, words)
  const board = kitchenBoard(main, dress)
  const sound = screenSound(() => showSetUp())
  const awake = stayAwake(() => showSetUp())
  const acts = keptActs(actsAddress, showActs, ({ fields }, sentence) =>
    showRefusal(fields.ticket, sentence ?? words('notAccepted')),
  )
  const reload = reloadWhenIdle(clock, () => live.isLive() && acts.unsent() === 0)
  const keys = listenToKeys({
    cards: board.cards,
    touch: card => touch([card]),
    recallLast,
    mustAcknowledge: card => showRefusal(card.dataset.ticket, words('acknowledgeFirst')),
  })
  let isKnown = true
  let refusalTimer = 0
  let soundedAt = Number.NEGATIVE_INFINITY
  let isCounting = false
  let wallAhead = Date.now() - performance.now()

  const live = stayLive({
    address,
    status: () => ({
      sound: sound.isOn() ? 'on' : 'off',
      awake: awake.state(),
      visible: document.hidden ? 'no' : 'yes',
    }),
    told: clock.set,
    known(known) {
      isKnown = known
    },
    async draw({ script, parts: fresh, tickets }) {
      acts.drawn()
      await board.draw(tickets)
      for (const [id, html] of fresh) drawPart(id, html)
      untouched.prune(board.cards())
      reload.told(script)
      showActs()
      tick()
    },
  })

  const showSetUp = setUp(element('setup'), sound, awake)
  takePresses(actsAddress, acts)
  keepSettings()
  // At the end of a press, because the change moves the board.
  main.addEventListener('click', ({ target }) => {
    const card = (target as Element).closest<HTMLElement>('.ticket')
    if (card) touch([card])
  })
  main.addEventListener('focusin', ({ target }) => {
    const card = (target as Element).closest<HTMLElement>('.ticket')
    if (card) touch([card])
  })
  freshButton.addEventListener('click', () => {
    const fresh = untouched.fresh(board.cards())
    const edges = edgesOfBoard()
    const seen = fresh.filter(card => isInView(card, edges))
    if (seen.length > 0) touch(seen)
    else fresh[0]?.scrollIntoView()
  })
  moreButton.addEventListener('click', () => {
    const edges = edgesOfBoard()
    const first = board.cards().find(card => isBeyond(card, edges))
    first?.scrollIntoView()
  })
  for (const moved of [main, window]) moved.addEventListener('scroll', countSoon, { passive: true })
  refusals.addEventListener('click', () => setText(refusals, ''))
  window.addEventListener('pageshow', ({ persisted }) => persisted && live.ask())
  window.addEventListener('online', askAgain)
  document.addEventListener('visibilitychange', askAgain)
  board.cards().forEach(dress)
  tick()
  setInterval(tick, 1_000)

  function askAgain(): void {
    live.ask()
    acts.send()
  }

  function dress(card: HTMLElement): void {
    showAge(card, clock, words)
    untouched.dress(card)
    keys.dress(card)
    showUnconfirmed(card, acts.list(), words)
  }

  function touch(cards: HTMLElement[]): void {
    untouched.touch(cards)
    countSoon()
  }

  function showActs(): void {
    const listed = acts.list()
    for (const card of board.cards()) showUnconfirmed(card, listed, words)
    showState()
  }

  function drawPart(id: string, html: string): void {
    const part = document.getElementById(id)
    if (!part || parts.get(id) === html) return
    parts.set(id, html)
    const fresh = part.cloneNode(false) as Element
    fresh.append(...parsePage(html).body.childNodes)
    morph(part, fresh)
  }

  function showRefusal(ticket: string | undefined, sentence: string): void {
    const number = board
      .cardOf(ticket ?? '')
      ?.querySelector('.number')
      ?.textContent?.trim()
    setText(refusals, number ? `${number}: ${sentence}` : sentence)
    clearTimeout(refusalTimer)
    refusalTimer = setTimeout(() => setText(refusals, ''), refusalMs)
  }

  function recallLast(): void {
    const [last] = acts.list().reverse()
    const { act, ticket, line, shown = '' } = last?.act.fields ?? {}
    if (act === 'done' && ticket !== undefined && line === undefined) acts.add({ act: 'recall', ticket, shown })
    else document.querySelector<HTMLButtonElement>('#recent button[value="recall"]')?.click()
  }

  function tick(): void {
    noticeSleep()
    for (const card of board.cards()) showAge(card, clock, words)
    showState()
    countSoon()
    const hasFresh = untouched.fresh(board.cards()).length > 0
    board.flash(hasFresh)
    const melody = body.dataset.live === 'yes' ? (hasFresh ? 'ticket' : undefined) : 'notLive'
    if (melody && performance.now() - soundedAt >= soundEveryMs) {
      soundedAt = performance.now()
      sound.play(melody)
    }
  }

  /** While a device sleeps, its wall clock goes on, but the clock of the page may stop. */
  function noticeSleep(): void {
    const ahead = Date.now() - performance.now()
    if (ahead - wallAhead > sleptMs) live.slept(ahead - wallAhead)
    wallAhead = ahead
  }

  /** After the next frame, when the places of the cards are known: to ask for them before would cost a layout. */
  function countSoon(): void {
    if (isCounting) return
    isCounting = true
    requestAnimationFrame(() => setTimeout(count))
  }

  /** Shows how many cards are new, and how many are not in view. */
  function count(): void {
    isCounting = false
    const cards = board.cards()
    const edges = edgesOfBoard()
    const fresh = untouched.fresh(cards)
    // Only cards in view can be marked as seen.
    const seen = fresh.filter(card => isInView(card, edges)).length
    const beyond = cards.filter(card => isBeyond(card, edges))
    const [first] = beyond
    const arrow = first && first.getBoundingClientRect().left >= edges.right ? '→' : '↓'
    // Whatever is changed here needs another layout.
    freshButton.hidden = fresh.length === 0
    setText(
      freshButton,
      seen > 0 ? words('freshCount', { count: seen }) : words('freshElsewhere', { count: fresh.length }),
    )
    moreButton.hidden = beyond.length === 0
    setText(moreButton, `${words('outOfView', { count: beyond.length })} ${arrow}`)
  }

  /** The part of the window in which the board is visible. */
  function edgesOfBoard(): Edges {
    const { top, bottom, left, right } = main?.getBoundingClientRect() ?? new DOMRect()
    return {
      top: Math.max(top, 0),
      bottom: Math.min(bottom, window.innerHeight),
      left: Math.max(left, 0),
      right: Math.min(right, window.innerWidth),
    }
  }

  function showState(): void {
    const isLive = isKnown && live.isLive()
    const heard = clock.now() - (performance.now() - live.heardAt())
    body.dataset.live = isLive ? 'yes' : 'no'
    banner.hidden = isLive
    if (!isLive)
      setText(element('not-live-since'), words(isKnown ? 'notLive' : 'unpaired', { time: clock.timeOf(heard) }))
    const unsent = acts.unsent()
    state.className = `state ${isLive ? (unsent > 0 ? 'wait' : 'done') : 'bad'}`
    const said = words(isLive ? 'live' : 'notLive', { time: clock.timeOf(isLive ? clock.now() : heard, isLive) })
    setText(state, unsent > 0 ? `${said} · ${words('notSentCount', { count: unsent })}` : said)
    showSetUp()
  }
}

interface Edges {
  top: number
  bottom: number
  left: number
  right: number
}

/** Whether enough of a card is visible to read its head. */
function isInView(card: HTMLElement, { top, bottom, left, right }: Edges): boolean {
  const box = card.getBoundingClientRect()
  return box.top > top - headPx && box.top < bottom - headPx && box.left < right - headPx && box.right > left + headPx
}

/** Whether a card comes after those in view. */
function isBeyond(card: HTMLElement, { bottom, right }: Edges): boolean {
  const box = card.getBoundingClientRect()
  return box.top >= bottom - headPx || box.left >= right - headPx
}
