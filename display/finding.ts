import type { Finding } from '../store/terms/finding.ts'

/** A problem or a warning as people read it: where, of what, and what is wrong. */
export function findingText({ pointer, message, title }: Finding): string {
  return `${pointer || '/'}  ${title === undefined ? '' : `"${title}": `}${message}`
}
