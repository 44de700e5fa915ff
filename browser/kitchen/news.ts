import { keep, kept } from '../kept.ts'
import { mark } from './age.ts'
import type { Words } from './words.ts'

/**
 * What a person at this screen has not touched yet: new tickets, and those that were changed or void since. `data-news` of a card
 * changes with everything that the kitchen has to notice, but not with what it does itself.
 */
export interface News {
  /** Marks a card as new or changed, or not. */
  dress(card: HTMLElement): void
  touch(cards: HTMLElement[]): void
  /** Those of the cards that nobody has touched. */
  fresh(cards: HTMLElement[]): HTMLElement[]
  /** Forgets cards that are gone. */
  prune(cards: HTMLElement[]): void
}

export function news(screen: string, words: Words): News {
  const key = `touched ${screen}`
  let touched = readTouched(kept(key))

  // A card without it is never news.
  const isFresh = (card: HTMLElement) =>
    card.dataset.news !== undefined && touched.get(card.dataset.ticket ?? '') !== card.dataset.news

  function save(): void {
    keep(key, JSON.stringify([...touched]))
  }

  function dress(card: HTMLElement): void {
    const isNew = isFresh(card)
    card.toggleAttribute('data-fresh', isNew)
    const number = card.querySelector('.number')
    const word = words(touched.has(card.dataset.ticket ?? '') ? 'changed' : 'fresh')
    if (number) mark(number, 'fresh', isNew ? word : undefined)
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
