import { convertMenu } from './foreign-menus/convert.ts'
import type { Unknown } from './foreign-menus/menu.ts'
import { kindOfMenu, type MenuKind } from './foreign-menus/recognise.ts'
import type { Change } from './restaurant-file/changes.ts'
import { lintRestaurant } from './restaurant-file/lint.ts'
import type { WayToImport } from './restaurant-file/merge.ts'
import { parseRestaurantFile, type RestaurantFile } from './restaurant-file/restaurant-file.ts'
import type { Store } from './store.ts'
import type { Finding } from './terms/finding.ts'
import { isRefused } from './terms/refusal.ts'

/** A file that somebody wants to import. */
export interface MenuUpload {
  bytes: Uint8Array
  how: WayToImport
  /** The folder of the images. */
  siteRoot: string
  /** UTC milliseconds. */
  now: number
}

/** What a file would change, or why it cannot be imported. */
export type ReadMenu =
  | {
      ok: true
      file: RestaurantFile
      changes: Change[]
      warnings: Finding[]
      /** The system that the file is from, and what it could not say; null: it is a restaurant file. */
      converted: { kind: MenuKind; unknown: Unknown[] } | null
    }
  | { ok: false; problems: Finding[] }

/**
 * Reads a restaurant file, or a menu of another system as the restaurant file that it becomes, and compares it with the present
 * restaurant. Prices of other systems without a sign are in the currency of the first location.
 */
export function readMenuUpload(
  store: Pick<Store, 'restaurant' | 'previewImport'>,
  { bytes, how, siteRoot, now }: MenuUpload,
): ReadMenu {
  const content = Buffer.from(bytes)
  const own = parseRestaurantFile(content.toString('utf8'))
  const kind = own.problems.length > 0 ? kindOfMenu(content) : undefined
  // A restaurant file with a mistake in it is no list of dishes.
  if (
    own.problems.length > 0 &&
    (kind === undefined || (/^\s*\{/.test(content.toString('utf8', 0, 100)) && kind === 'text'))
  ) {
    return { ok: false, problems: own.problems }
  }
  let { file } = own
  let converted: { kind: MenuKind; unknown: Unknown[] } | null = null
  if (kind !== undefined) {
    const [location] = store.restaurant().locations
    const conversion = convertMenu(content, { currency: location?.currency, timeZone: location?.timezone })
    if (!conversion.ok) return { ok: false, problems: [{ pointer: '', message: `it ${conversion.refusal}` }] }
    file = parseRestaurantFile(JSON.stringify(conversion.restaurant)).file
    converted = { kind, unknown: conversion.unknown }
  }
  const preview = store.previewImport(file, how)
  if (isRefused(preview)) return { ok: false, problems: preview.problems }
  const warnings = [...lintRestaurant(file, siteRoot, now), ...preview.warnings]
  return { ok: true, file, changes: preview.changes, warnings, converted }
}
