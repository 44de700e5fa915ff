import { timingSafeEqual } from 'node:crypto'
import { newCode, normalCode, sha256 } from '../../store/people/secret.ts'
import type { Clock } from '../../store/terms/clock.ts'
import type { SetupCode } from '../http/handler.ts'

const VALID_MS = 30 * 60_000

/** A new code for the first owner. */
export function setupCode(clock: Clock): SetupCode {
  const code = newCode()
  const known = sha256(code)
  const until = clock.elapsed() + VALID_MS
  return {
    code,
    isRight: typed => timingSafeEqual(sha256(normalCode(typed)), known) && clock.elapsed() < until,
  }
}
