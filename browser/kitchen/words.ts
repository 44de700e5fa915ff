const names = [
  'live',
  'notLive',
  'unpaired',
  'sending',
  'notSent',
  'notSentCount',
  'notAccepted',
  'slow',
  'late',
  'fresh',
  'changed',
  'freshCount',
  'freshElsewhere',
  'outOfView',
  'done',
  'acknowledgeFirst',
  'fires',
] as const

/** The sentences of the script, which the page contains in its language (routes/kitchen/screen-parts.ts). */
export type Words = (name: (typeof names)[number], fill?: Record<string, string | number>) => string

/** Reads the sentences from the page. Throws if one is missing, so that none is shown empty. */
export function readWords(element: HTMLElement): Words {
  const { dataset } = element
  for (const name of names) if (!dataset[name]) throw new Error(`the page has no sentence for ${name}`)
  return (name, fill = {}) => (dataset[name] ?? '').replace(/\{(\w+)\}/g, (_, key: string) => String(fill[key] ?? ''))
}
