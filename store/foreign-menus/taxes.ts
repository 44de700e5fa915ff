import { isYes, type Table } from './file/table.ts'
import type { Unknown } from './menu.ts'

const taxColumn = /^Tax - "?(?<name>.+?)"?\s*\((?<rate>[\d.,]+)\s*%\)$/i

/** The taxes of a table, of which it does not say whether prices include them, for the owner to set. */
export function taxesOf(table: Table): Unknown[] {
  return table.columns.flatMap(column => {
    const { name, rate } = taxColumn.exec(column)?.groups ?? {}
    const taxed = name === undefined ? 0 : table.rows.filter(row => isYes(table.cell(row, column))).length
    if (taxed === 0) return []
    const message = `The tax "${name}" of ${rate} % is on ${taxed} of ${table.rows.length} rows, but not whether prices include it.`
    return [{ place: 'the header', message: `${message} Set tax_rate and prices_include_tax.` }]
  })
}
