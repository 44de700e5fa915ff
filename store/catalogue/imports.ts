import type { Db } from '../file/open.ts'
import type { Noting } from '../people/activity.ts'
import { type Change, changesBetween, countsOf } from '../restaurant-file/changes.ts'
import { mergeRestaurants, type WayToImport } from '../restaurant-file/merge.ts'
import { parseRestaurantFile, type RestaurantFile, writeRestaurantFile } from '../restaurant-file/restaurant-file.ts'
import type { Clock } from '../terms/clock.ts'
import type { Finding } from '../terms/finding.ts'
import { isRefused, type Refusal } from '../terms/refusal.ts'
import { type EditRefusal, editRestaurant, idKinds, type MenuEdit, type NewId } from './edit.ts'
import { catalogueExport } from './export.ts'
import { catalogueWriter, type Rewrite } from './import.ts'

/** What an import changes or would change, and warnings at places of its file. */
export interface Import {
  changes: Change[]
  warnings: Finding[]
}

/** What an edit changes, with the ids of the records that it adds. */
export interface EditDone {
  changes: Change[]
  added: number[]
}

/** The change of the catalogue that is undone, and what undoing it changes. */
export interface Undo {
  /** UTC milliseconds. */
  at: number
  actor: string
  /** The mode of an import, or "edit". */
  how: string
  changes: Change[]
}

type Planned<T> = T & {
  /** The versions of the catalogue and the settings that it was planned for. */
  revision: string
  rewrite: Rewrite
}

const VERSIONS_KEPT = 20

/** What importing a file without problems would change in a restaurant. Refuses a file that does not fit it. */
export function previewImport(
  present: RestaurantFile,
  brought: RestaurantFile,
  how: WayToImport,
): (Import & { next: RestaurantFile }) | Refusal<'does not fit'> {
  const { file: next, problems, warnings } = mergeRestaurants(present, brought, how)
  if (problems.length > 0) return { refused: 'does not fit', problems }
  return { changes: changesBetween(present, next), warnings, next }
}

/**
 * Imports restaurant files, in one transaction each, and undoes the last imports (decision 045). The changes are worked out
 * before the transaction, to keep it short, and again within it if something has changed meanwhile.
 */
export function imports(db: Db, clock: Clock, markChanged: () => void, { actor, note }: Noting) {
  const exportCatalogue = catalogueExport(db)
  const writer = catalogueWriter(db, clock)
  const selectRevision = db.prepare<[], string>(`SELECT catalogue || ' ' || settings FROM revision`).pluck()
  const insertVersion = db.prepare<{ at: number; actor: string; what: string; document: string }>(
    'INSERT INTO catalogue_version (at, actor, what, document) VALUES (@at, @actor, @what, @document)',
  )
  const deleteOldest = db.prepare<[number]>(
    'DELETE FROM catalogue_version WHERE id <= (SELECT max(id) FROM catalogue_version) - ?',
  )
  const selectNewest = db.prepare<[], { id: number; at: number; actor: string; how: string; document: string }>(
    'SELECT id, at, actor, what AS how, document FROM catalogue_version ORDER BY id DESC LIMIT 1',
  )
  const selectLast = db.prepare<[], Omit<Undo, 'changes'>>(
    'SELECT at, actor, what AS how FROM catalogue_version ORDER BY id DESC LIMIT 1',
  )
  const deleteVersion = db.prepare<[number]>('DELETE FROM catalogue_version WHERE id = ?')

  const newIds = unusedIds(db)

  /** How to get from the present restaurant to the next one. */
  function planOf(present: RestaurantFile, next: RestaurantFile, changes: Change[]) {
    const document = changes.length > 0 ? JSON.stringify(writeRestaurantFile(present)) : null
    return { changes, document, rewrite: writer.rewrite(present, next), revision: revision() }
  }

  function apply({ document, rewrite }: ReturnType<typeof planOf>, how: string): void {
    writer.run(rewrite)
    if (document !== null) {
      insertVersion.run({ at: clock.now(), actor: actor().name, what: how, document })
      deleteOldest.run(VERSIONS_KEPT)
    }
    markChanged()
  }

  const planImport = db.transaction((file: RestaurantFile, how: WayToImport) => {
    const present = exportCatalogue()
    const plan = previewImport(present, file, how)
    return isRefused(plan) ? plan : { ...plan, ...planOf(present, plan.next, plan.changes) }
  })

  const planEdit = db.transaction((edits: MenuEdit[]) => {
    const present = exportCatalogue()
    const edited = editRestaurant(present, edits, newIds())
    if (isRefused(edited)) return edited
    return { ...edited, ...planOf(present, edited.next, changesBetween(present, edited.next)) }
  })

  const planUndo = db.transaction((): Planned<Undo & { id: number }> | Refusal<'nothing to undo' | 'does not fit'> => {
    const version = selectNewest.get()
    if (!version) return { refused: 'nothing to undo' }
    const { document, ...rest } = version
    const { file: next, problems } = parseRestaurantFile(document)
    if (problems.length > 0) return { refused: 'does not fit', problems }
    const present = exportCatalogue()
    const rewrite = writer.rewrite(present, next)
    return { ...rest, changes: changesBetween(present, next), rewrite, revision: revision() }
  })

  function revision(): string {
    return selectRevision.get() ?? ''
  }

  const commitImport = db.transaction(
    (planned: ReturnType<typeof planImport>, file: RestaurantFile, how: WayToImport) => {
      const plan = isRefused(planned) || planned.revision === revision() ? planned : planImport(file, how)
      if (isRefused(plan)) return plan
      const { changes, warnings, rewrite } = plan
      apply(plan, how)
      if (changes.length > 0) note({ what: 'menu imported', subject: how, became: countsOf(changes) })
      else if (rewrite.live.length > 0)
        note({ what: 'menu imported', subject: how, became: 'availability and stock only' })
      return { changes, warnings }
    },
  )

  const commitEdit = db.transaction((planned: ReturnType<typeof planEdit>, edits: MenuEdit[]) => {
    // What the person saw may have changed, so a refusal is worked out again, too.
    const plan = !isRefused(planned) && planned.revision === revision() ? planned : planEdit(edits)
    if (isRefused(plan)) return plan
    const { changes, added } = plan
    if (changes.length > 0) {
      apply(plan, 'edit')
      note({ what: 'menu edited', subject: subjectOf(changes), became: countsOf(changes) })
    }
    return { changes, added }
  })

  const commitUndo = db.transaction((planned: ReturnType<typeof planUndo>, expected: number | undefined) => {
    const plan = isRefused(planned) || planned.revision === revision() ? planned : planUndo()
    if (isRefused(plan)) return plan
    const { id, at, actor: by, how, changes, rewrite } = plan
    if (expected !== undefined && expected !== at) return { refused: 'undone first', at, actor: by } as const
    writer.run(rewrite)
    deleteVersion.run(id)
    markChanged()
    const when = new Date(at).toISOString().slice(0, 16).replace('T', ' ')
    note({
      what: how === 'edit' ? 'menu edit undone' : 'menu import undone',
      subject: `${how} of ${when} UTC`,
      became: countsOf(changes),
    })
    return { at, actor: by, how, changes }
  })

  let known: { revision: string; file: RestaurantFile } | undefined
  const readRestaurant = db.transaction(() => {
    const now = revision()
    if (known?.revision !== now) known = { revision: now, file: exportCatalogue() }
    return known.file
  })

  return {
    exportCatalogue,

    /** What an import would change, without doing it. Refuses a file that does not fit the restaurant. */
    preview: (file: RestaurantFile, how: WayToImport) => previewImport(exportCatalogue(), file, how),

    /** Imports a file without problems. Refuses a file that does not fit the restaurant; then nothing is written. */
    importFile(file: RestaurantFile, how: WayToImport = 'replace'): Import | Refusal<'does not fit'> {
      return commitImport.immediate(planImport(file, how), file, how)
    },

    /** The change that `undo` would undo. */
    lastChange: (): Omit<Undo, 'changes'> | undefined => selectLast.get(),

    /** What `undo` would change now. */
    previewUndo(): Undo | Refusal<'nothing to undo' | 'does not fit'> {
      const plan = planUndo()
      return isRefused(plan) ? plan : { at: plan.at, actor: plan.actor, how: plan.how, changes: plan.changes }
    },

    /**
     * Restores the catalogue from before the last import or edit that changed something and is not undone yet. Records that it
     * added are unpublished and no longer exported; live state is unchanged. With `expected`, refuses to undo any other change
     * than the one of that instant.
     */
    undo(expected?: number): Undo | Refusal<'nothing to undo' | 'does not fit' | 'undone first'> {
      return commitUndo.immediate(planUndo(), expected)
    },

    /** The catalogue as a restaurant file, kept in memory until it changes; not to be modified. */
    restaurant: (): RestaurantFile => readRestaurant(),

    /**
     * Edits the menu, in one transaction that `undo` can undo (decision 050). Refuses what an import would refuse, and to
     * overwrite what somebody else has changed since the person saw it; then nothing is written.
     */
    edit(edits: MenuEdit[]): EditDone | EditRefusal {
      return commitEdit.immediate(planEdit(edits), edits)
    },

    /** What an edit would change, without making it. */
    previewEdit(edits: MenuEdit[]): EditDone | EditRefusal {
      const plan = planEdit(edits)
      return isRefused(plan) ? plan : { changes: plan.changes, added: plan.added }
    },
  }
}

/** "item 12 Francesinha and 3 more" */
function subjectOf(changes: Change[]): string {
  const [first, ...others] = changes
  if (!first) return ''
  const { thing, id, title } = first
  return `${thing} ${id} ${title}${others.length > 0 ? ` and ${others.length} more` : ''}`
}

/**
 * Returns the function that makes sources of ids for one edit each. An id is never used again, not even that of a record that is
 * no longer exported, because orders refer to it.
 */
function unusedIds(db: Db): () => NewId {
  const highest = Object.fromEntries(
    idKinds.map(kind => [kind, db.prepare<[], number>(`SELECT coalesce(max(id), 0) FROM ${kind}`).pluck()]),
  )
  return () => {
    const last = new Map<string, number>()
    return kind => {
      const id = (last.get(kind) ?? highest[kind]?.get() ?? 0) + 1
      last.set(kind, id)
      return id
    }
  }
}
