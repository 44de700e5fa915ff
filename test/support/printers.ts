import type { Printer, WantedPrinter } from '../../store/printing/printers.ts'
import type { DeviceId, LocationId } from '../../store/terms/ids.ts'
import { accepted } from './refusals.ts'
import type { Shop } from './shop.ts'

export const manager = { kind: 'staff', id: 1, name: 'Ana' } as const

/** Adds a printer to a shop's first location: by default a Star printer of 80 mm for every ticket of all stations. */
export async function addPrinter(
  shop: Shop,
  wanted: Partial<WantedPrinter> = {},
): Promise<{ id: DeviceId; secret: string }> {
  const usual: Omit<Printer, 'id' | 'createdAt'> = {
    title: 'Paper',
    locationId: 1 as LocationId,
    protocol: 'star',
    widthMm: 80,
    columns: 48,
    characters: 'plain',
    prints: 'every ticket',
    stations: [],
  }
  const { id, secret } = accepted(await shop.writer.act(manager, 'addPrinter', { ...usual, ...wanted }, null))
  if (secret === null) throw new Error('no secret')
  return { id, secret }
}
