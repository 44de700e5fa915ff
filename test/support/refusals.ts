import { refusalText } from '../../display/refusal.ts'
import { isRefused } from '../../store/terms/refusal.ts'

/** The sentence of a refusal; "done" for any other result of an operation. */
export function why(result: unknown): string {
  return isRefused(result) ? refusalText(result) : 'done'
}
