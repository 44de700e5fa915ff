import type { Finding } from '../store/terms/finding.ts'

/** A problem or a warning as text: its place, the title of its record, and what is wrong. */
export function findingText({ pointer, message, title }: Finding): string {
  return `${pointer || '/'}  ${title === undefined ? '' : `"${title}": `}${message}`
}
