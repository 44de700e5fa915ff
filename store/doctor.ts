import { lintRestaurant } from './restaurant-file/lint.ts'
import { parseRestaurantFile, writeRestaurantFile } from './restaurant-file/restaurant-file.ts'
import type { Store } from './store.ts'
import type { Finding } from './terms/finding.ts'

interface Findings {
  problems: Finding[]
  warnings: Finding[]
}

/** What is wrong with the file, its disk, the clock, the accounts, the menu and the backups (problems) or looks wrong (warnings). */
export function examine(store: Store, siteRoot: string, now: number): Findings {
  const health = store.health()
  const menu = examineCatalogue(store, siteRoot, now)
  const inMenu = ({ pointer, message }: Finding) => ({ pointer: `/menu${pointer}`, message })
  return {
    problems: [...health.problems, ...store.audit.all(), ...backupProblems(store), ...menu.problems.map(inMenu)],
    warnings: [...health.warnings, ...menu.warnings.map(inMenu)],
  }
}

/** The problems and warnings of the catalogue. The pointers refer to the exported restaurant file. */
export function examineCatalogue(store: Pick<Store, 'exportCatalogue'>, siteRoot: string, now: number): Findings {
  const { file, problems } = parseRestaurantFile(JSON.stringify(writeRestaurantFile(store.exportCatalogue())))
  return { problems, warnings: problems.length > 0 ? [] : lintRestaurant(file, siteRoot, now) }
}

function backupProblems(store: Pick<Store, 'backups'>): Finding[] {
  const failure = store.backups.list().find(({ endedAt }) => endedAt !== null)?.failure
  if (!failure) return []
  const why = 'cause' in failure ? failure.cause : failure.refused
  return [{ pointer: '/backups', message: `the last backup was not made: ${why}` }]
}
