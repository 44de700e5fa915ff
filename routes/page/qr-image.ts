import encodeQR from 'qr'
import { type Html, html } from '../html/html.ts'

/** A QR code as an SVG image, with the quiet zone of four modules that the standard requires. */
export function qrImage(text: string, label: string): Html {
  const rows = encodeQR(text, 'raw', { border: 4 })
  const runs = rows.flatMap((row, y) => {
    const text = row.map(isDark => (isDark ? '#' : ' ')).join('')
    return [...text.matchAll(/#+/g)].map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`)
  })
  const size = `0 0 ${rows.length} ${rows.length}`
  return html`<svg class="qr" viewBox="${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path fill="#000" d="${runs.join('')}"></path></svg>`
}
