import type { Finding } from '../terms/finding.ts'

/** A finding with the title of the innermost titled record that contains its place. */
export function withTitle(finding: Finding, document: unknown): Finding {
  let title: string | undefined
  let value = document
  for (const step of ['', ...finding.pointer.split('/').slice(1)]) {
    if (step !== '') value = memberOf(value, step.replaceAll('~1', '/').replaceAll('~0', '~'))
    const named = memberOf(value, 'title')
    if (typeof named === 'string' && named.trim() !== '') title = named
  }
  return title === undefined ? finding : { ...finding, title }
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined
}
