import { keep, kept } from '../kept.ts'
import { setLabel } from './text.ts'
import type { Words } from './words.ts'

/**
 * The cards that nobody at this screen has touched since their tickets came or changed. `data-news` of a card changes with
 * everything that the kitchen has to notice, but not with its own acts.
 */
export interface UntouchedCards {
  /** Marks a card as new or changed if it is untouched, and removes the mark otherwise. */
  dress(card: HTMLElement): void
  /** Somebody has touched these cards. */
  touch(cards: HTMLElement[]): void
  /** The cards that are untouched. */
  fresh(cards: HTMLElement[]): HTMLElement[]
  /** Forgets all cards but these. */
  prune(cards: HTMLElement[]): void
}

export function untouchedCards(screen: string, words: Words): UntouchedCards {
  const key = `touched ${screen}`
  let touched = readTouched(kept(key))

  // A card without `data-news` has nothing to notice. Every card is looked at each second, and attributes are read faster than `dataset`.
  const isFresh = (card: HTMLElement) => {
    const news = card.getAttribute('data-news')
    return news !== null && touched.get(card.getAttribute('data-ticket') ?? '') !== news
  }

  function save(): void {
    keep(key, JSON.stringify([...touched]))
  }

  function dress(card: HTMLElement): void {
    const isNew = isFresh(card)
    card.toggleAttribute('data-fresh', isNew)
    const number = card.querySelector('.number')
    const word = words(touched.has(card.dataset.ticket ?? '') ? 'changed' : 'fresh')
    if (number) setLabel(number, 'fresh', isNew ? word : undefined)
  }

  return {
    dress,
    touch(cards) {
      const fresh = cards.filter(isFresh)
      if (fresh.length === 0) return
      for (const card of fresh) {
        touched.set(card.dataset.ticket ?? '', card.dataset.news ?? '')
        dress(card)
      }
      save()
    },
    fresh: cards => cards.filter(isFresh),
    prune(cards) {
      const here = new Set(cards.map(card => card.dataset.ticket))
      const left = [...touched].filter(([ticket]) => here.has(ticket))
      if (left.length === touched.size) return
      touched = new Map(left)
      save()
    },
  }
}

function readTouched(text: string | null): Map<string, string> {
  try {
    const entries: unknown = JSON.parse(text ?? '[]')
    return new Map(Array.isArray(entries) ? entries : [])
  } catch {
    return new Map()
  }
}
