import { crc32, deflateRawSync } from 'node:zlib'

/** One file of an archive. Its declared size can be wrong, as in a ZIP bomb. */
export interface Packed {
  name: string
  content: Buffer | string
  /** The size that the archive claims. */
  claimed?: number
  flags?: number
}

/** A ZIP archive of deflated files. */
export function zip(files: Packed[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, claimed, flags = 0 } of files) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const title = Buffer.from(name)
    const about = Buffer.alloc(26)
    about.writeUInt16LE(20, 0)
    about.writeUInt16LE(flags, 2)
    about.writeUInt16LE(8, 4)
    about.writeUInt32LE(crc32(bytes), 10)
    about.writeUInt32LE(packed.length, 14)
    about.writeUInt32LE(claimed ?? bytes.length, 18)
    about.writeUInt16LE(title.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    parts.push(Buffer.from('PK\x03\x04'), about, title, packed)
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), about, place, title)
    offset += 30 + title.length + packed.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, central, end])
}

/** A cell as a spreadsheet program writes it; a number was entered as a number. */
export type Cell = string | number | { formula: string }

/** An XLSX workbook of named sheets: texts as shared strings, numbers with 17 digits. */
export function workbook(sheets: Record<string, Cell[][]>, more: Packed[] = []): Buffer {
  const strings = new Map<string, number>()
  const names = Object.keys(sheets)
  const contents = Object.values(sheets).map(rows => {
    const body = rows.map((cells, row) => {
      const written = cells.map((cell, column) => cellXml(cell, `${letters(column)}${row + 1}`, strings))
      return `<row r="${row + 1}">${written.join('')}</row>`
    })
    return `<?xml version="1.0"?><worksheet><sheetData>${body.join('')}</sheetData></worksheet>`
  })
  const shared = [...strings.keys()].map(text => `<si><t xml:space="preserve">${escaped(text)}</t></si>`)
  return zip([
    { name: '[Content_Types].xml', content: '<Types/>' },
    {
      name: 'xl/workbook.xml',
      content: `<workbook><sheets>${names.map((name, nth) => `<sheet name="${escaped(name)}" sheetId="${nth + 1}" r:id="rId${nth + 1}"/>`).join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `<Relationships>${names.map((_, nth) => `<Relationship Id="rId${nth + 1}" Target="worksheets/sheet${nth + 1}.xml"/>`).join('')}</Relationships>`,
    },
    { name: 'xl/sharedStrings.xml', content: `<sst>${shared.join('')}</sst>` },
    ...contents.map((content, nth) => ({ name: `xl/worksheets/sheet${nth + 1}.xml`, content })),
    ...more,
  ])
}

function cellXml(cell: Cell, reference: string, strings: Map<string, number>): string {
  if (cell === '') return ''
  if (typeof cell === 'number') return `<c r="${reference}"><v>${cell.toPrecision(17)}</v></c>`
  if (typeof cell === 'object') return `<c r="${reference}"><f>${escaped(cell.formula)}</f><v>1</v></c>`
  const at = strings.get(cell) ?? strings.size
  strings.set(cell, at)
  return `<c r="${reference}" t="s"><v>${at}</v></c>`
}

function letters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26))
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
