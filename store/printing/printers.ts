import type { Db } from '../file/open.ts'
import type { Noting } from '../people/activity.ts'
import { newSecret, sha256 } from '../people/secret.ts'
import type { Clock } from '../terms/clock.ts'
import type { DeviceId, LocationId, StationId } from '../terms/ids.ts'
import type { Refusal } from '../terms/refusal.ts'
import { flawOfText } from '../terms/text.ts'

/** How a printer asks for its jobs: Star CloudPRNT or Epson Server Direct Print. */
export const protocols = ['star', 'epson'] as const
export type Protocol = (typeof protocols)[number]

/** Which characters a printer has: those of ASCII, also those of Western Europe (Windows-1252), or all that it is sent. */
export const characterSets = ['plain', 'western', 'unicode'] as const
export type Characters = (typeof characterSets)[number]

/** What a printer prints automatically: every ticket, those that no screen has shown in time, or nothing. */
export const printOccasions = ['every ticket', 'unseen tickets', 'on request'] as const
export type PrintOccasion = (typeof printOccasions)[number]

/** How many characters of normal size usually fit on paper of these widths (millimetres). */
export const usualColumns = { 58: 32, 80: 48 } as const
export type PaperWidth = keyof typeof usualColumns

export interface Printer {
  id: DeviceId
  title: string
  locationId: LocationId
  protocol: Protocol
  widthMm: PaperWidth
  columns: number
  characters: Characters
  prints: PrintOccasion
  /** Whose tickets it prints; empty: those of all stations of its location. */
  stations: StationId[]
  createdAt: number
}

export type WantedPrinter = Omit<Printer, 'id' | 'createdAt'>

/** What can be changed about a printer. */
export type PrinterChange = Pick<Printer, 'characters' | 'prints' | 'stations'>

const LONGEST_TITLE = 80
const columnBounds = { least: 16, most: 64 }

type Row = Omit<Printer, 'stations'> & { stations: string }
type PrinterRefusal = Refusal<'text' | 'unknown location' | 'station elsewhere' | 'invalid columns'>

/** The printers in use (decision 058). `beginWatching` is called when the first of them starts to print automatically. */
export function printers(db: Db, clock: Clock, { note }: Noting, beginWatching: () => void) {
  const columns = `device.id, title, location_id AS locationId, protocol, width_mm AS widthMm, columns, characters, prints,
    stations, created_at AS createdAt`
  const selectAll = db.prepare<[], Row>(
    `SELECT ${columns} FROM printer JOIN device ON device.id = device_id WHERE ended_at IS NULL ORDER BY location_id, device.id`,
  )
  const selectOne = db.prepare<[DeviceId], Row>(
    `SELECT ${columns} FROM printer JOIN device ON device.id = device_id WHERE ended_at IS NULL AND device.id = ?`,
  )
  const selectAttempt = db.prepare<[string], DeviceId>('SELECT device_id FROM printer WHERE client_ref = ?').pluck()
  const isLocation = db.prepare<[LocationId], number>('SELECT 1 FROM location WHERE id = ?').pluck()
  const isStation = db
    .prepare<[StationId, LocationId], number>('SELECT 1 FROM station WHERE id = ? AND location_id = ? AND active = 1')
    .pluck()
  const insertDevice = db.prepare<{ title: string; locationId: LocationId; now: number; sha256: Buffer }>(
    `INSERT INTO device (title, role, location_id, created_at, sha256)
     VALUES (@title, 'printer', @locationId, @now, @sha256)`,
  )
  const insertPrinter = db.prepare<Omit<Row, 'createdAt' | 'title' | 'locationId'> & { attempt: string | null }>(
    `INSERT INTO printer (device_id, protocol, width_mm, columns, characters, prints, stations, client_ref)
     VALUES (@id, @protocol, @widthMm, @columns, @characters, @prints, @stations, @attempt)`,
  )
  const updatePrinter = db.prepare<Pick<Row, 'id' | 'characters' | 'prints' | 'stations'>>(
    'UPDATE printer SET characters = @characters, prints = @prints, stations = @stations WHERE device_id = @id',
  )
  const updateSecret = db.prepare<[Buffer, DeviceId]>('UPDATE device SET sha256 = ? WHERE id = ?')

  function list(): Printer[] {
    return selectAll.all().map(printerOf)
  }

  function find(id: DeviceId): Printer | undefined {
    const row = selectOne.get(id)
    return row && printerOf(row)
  }

  /** What happened before the first printer prints automatically is not printed. */
  function watchFor({ prints }: Pick<Printer, 'prints'>): void {
    if (prints !== 'on request' && !list().some(printsByItself)) beginWatching()
  }

  const add = db.transaction(
    (wanted: WantedPrinter, attempt: string | null): { id: DeviceId; secret: string | null } | PrinterRefusal => {
      const known = attempt === null ? undefined : selectAttempt.get(attempt)
      if (known !== undefined) return { id: known, secret: null }
      const { locationId, stations } = wanted
      if (!isLocation.get(locationId)) return { refused: 'unknown location', location: locationId }
      const elsewhere = stations.find(station => !isStation.get(station, locationId))
      if (elsewhere !== undefined) return { refused: 'station elsewhere', station: elsewhere, location: locationId }
      watchFor(wanted)
      const secret = newSecret()
      const title = wanted.title.trim()
      const device = { title, locationId, now: clock.now(), sha256: sha256(secret) }
      const id = insertDevice.run(device).lastInsertRowid as DeviceId
      insertPrinter.run({ ...wanted, id, stations: JSON.stringify(stations), attempt })
      note({ what: 'device paired', subject: `device ${id} ${title}`, became: 'printer' })
      return { id, secret }
    },
  )

  const change = db.transaction(
    (id: DeviceId, wanted: PrinterChange): undefined | Refusal<'unknown device' | 'station elsewhere'> => {
      const before = find(id)
      if (!before) return { refused: 'unknown device', device: id }
      const { locationId, title } = before
      const elsewhere = wanted.stations.find(station => !isStation.get(station, locationId))
      if (elsewhere !== undefined) return { refused: 'station elsewhere', station: elsewhere, location: locationId }
      watchFor(wanted)
      updatePrinter.run({ ...wanted, id, stations: JSON.stringify(wanted.stations) })
      const was = settingText(before)
      const became = settingText(wanted)
      if (was !== became) note({ what: 'printer changed', subject: `device ${id} ${title}`, was, became })
      return undefined
    },
  )

  const renewSecret = db.transaction((id: DeviceId): { secret: string } | Refusal<'unknown device'> => {
    const printer = find(id)
    if (!printer) return { refused: 'unknown device', device: id }
    const secret = newSecret()
    updateSecret.run(sha256(secret), id)
    note({ what: 'printer changed', subject: `device ${id} ${printer.title}`, became: 'new address' })
    return { secret }
  })

  return {
    /** The printers in use. */
    list,

    /** A printer in use. */
    find,

    /**
     * Adds a printer. Its secret, which becomes part of its address, is returned once and stored only as a hash; null: this `attempt`
     * has already added it. Refuses a bad title or number of columns, and an unknown location or a station elsewhere.
     */
    add(wanted: WantedPrinter, attempt: string | null): { id: DeviceId; secret: string | null } | PrinterRefusal {
      const flaw = flawOfText(wanted.title, { least: 1, most: LONGEST_TITLE, isOneLine: true })
      if (flaw) return { refused: 'text', field: 'name', flaw }
      const { least, most } = columnBounds
      const isPossible = Number.isInteger(wanted.columns) && wanted.columns >= least && wanted.columns <= most
      return isPossible ? add.immediate(wanted, attempt) : { refused: 'invalid columns', ...columnBounds }
    },

    /** Changes what a printer prints. Refuses an unknown printer and a station of another location. */
    change: (id: DeviceId, wanted: PrinterChange) => change.immediate(id, wanted),

    /** Gives a printer a new address; the old one stops working at once. Refuses an unknown printer. */
    renewSecret: (id: DeviceId) => renewSecret.immediate(id),
  }
}

export type Printers = ReturnType<typeof printers>

/** Whether a printer prints anything without a request. */
export function printsByItself({ prints }: Pick<Printer, 'prints'>): boolean {
  return prints !== 'on request'
}

/** Whether a printer prints the tickets of a station. */
export function printsFor({ stations }: Pick<Printer, 'stations'>, station: StationId): boolean {
  return stations.length === 0 || stations.includes(station)
}

function settingText({ prints, characters, stations }: PrinterChange): string {
  return `${prints}, ${characters}, ${stations.length === 0 ? 'all stations' : `stations ${stations.join(', ')}`}`
}

function printerOf(row: Row): Printer {
  return { ...row, stations: JSON.parse(row.stations) as StationId[] }
}
