import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import type { Refusal } from '../terms/refusal.ts'
import { type Converted, convertMenu } from './convert.ts'
import { type Earlier, readEarlier, recordText, restaurantText } from './earlier.ts'
import { MOST_BYTES } from './recognise.ts'

/** Which file is converted, and where to. */
export interface ConversionCall {
  from: string
  /** By default `from` with ".restaurant.json" in place of its extension. */
  to?: string | undefined
  /** The restaurant file of an earlier conversion whose ids are kept; by default that at `to`. */
  ids?: string | undefined
  currency?: string | undefined
  timeZone?: string | undefined
}

/**
 * Writes the restaurant file that a menu of another system becomes, and beside it the record that keeps its ids. Refuses to
 * overwrite anything but an earlier conversion that nobody has edited; what is refused writes nothing.
 */
export function convertFile(call: ConversionCall): (Converted & { path: string }) | Refusal {
  const { from, ids, currency, timeZone } = call
  const to = call.to ?? join(dirname(from), `${basename(from, extname(from))}.restaurant.json`)
  try {
    if (!statSync(from).isFile()) return { refused: 'not a file', path: from }
    const target = earlierAt(to)
    if (existsSync(to) && !target) return { refused: 'not a conversion', path: to }
    if (!target && existsSync(recordOf(to))) return { refused: 'not a conversion', path: recordOf(to) }
    if (target?.isEdited) return { refused: 'conversion edited', path: to }
    const earlier = ids === undefined ? target : earlierAt(ids)
    if (ids !== undefined && !earlier) return { refused: 'no ids to keep', path: ids }
    const conversion = convertMenu(readBounded(from), { currency, timeZone, earlier })
    if (!conversion.ok) return { refused: 'unreadable menu', path: from, flaw: conversion.refusal }
    const text = restaurantText(conversion.restaurant)
    replaceFile(to, text)
    replaceFile(recordOf(to), recordText(conversion, text))
    return { ...conversion, path: to }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return { refused: 'file inaccessible', path: 'path' in error ? String(error.path) : to, cause: String(error.code) }
  }
}

/** Where the ids of a conversion are kept. */
function recordOf(path: string): string {
  return join(dirname(path), `${basename(path, '.json')}.ids.json`)
}

function earlierAt(path: string): Earlier | undefined {
  if (!existsSync(recordOf(path)) || !existsSync(path)) return undefined
  return readEarlier(readFileSync(recordOf(path), 'utf8'), readFileSync(path, 'utf8'))
}

/** Reads a file, of which one byte more than is converted is enough to see that it is too large. */
function readBounded(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(Math.min(fstatSync(file).size, MOST_BYTES) + 1)
    let length = 0
    for (;;) {
      const read = readSync(file, bytes, length, bytes.length - length, null)
      length += read
      if (read === 0 || length === bytes.length) return bytes.subarray(0, length)
    }
  } finally {
    closeSync(file)
  }
}

/** Writes a whole file or none: a crash leaves the former one. */
function replaceFile(path: string, text: string): void {
  const partial = `${path}.partial`
  const file = openSync(partial, 'wx')
  try {
    try {
      writeFileSync(file, text)
    } finally {
      closeSync(file)
    }
    renameSync(partial, path)
  } catch (error) {
    rmSync(partial)
    throw error
  }
}
