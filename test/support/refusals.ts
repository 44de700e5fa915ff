import { refusalText } from '../../display/refusal.ts'
import { isRefused, type Refusal } from '../../store/terms/refusal.ts'

/** A result that must not be a refusal. Throws its sentence when it is one. */
export function accepted<T>(result: T): Exclude<T, Refusal> {
  if (isRefused(result)) throw new Error(refusalText(result))
  return result as Exclude<T, Refusal>
}

/** The sentence of a refusal; "done" for any other result of an operation. */
export function why(result: unknown): string {
  return isRefused(result) ? refusalText(result) : 'done'
}
