import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'

/** The folder of the project. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A temporary folder for a test, removed after it. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'servery-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
