import { type FittedLine, fitted, paperOf } from '../../display/paper.ts'
import type { Offer } from '../../store/printing/jobs.ts'

// How long the printer may take before it reports a failure (milliseconds).
const TIMEOUT_MS = 10_000

/** A job as ePOS-Print XML in the envelope of Server Direct Print, version 2. */
export function epsonRequest(offer: Offer): string {
  const { content, attempt, token } = offer
  const lines = fitted(paperOf(content, attempt), content.layout).map(textElement)
  return `<?xml version="1.0" encoding="utf-8"?>
<PrintRequestInfo Version="2.00">
<ePOSPrint>
<Parameter>
<devid>local_printer</devid>
<timeout>${TIMEOUT_MS}</timeout>
<printjobid>${token}</printjobid>
</Parameter>
<PrintData>
<epos-print xmlns="http://www.epson-pos.com/schemas/2011/03/epos-print">
${lines.join('\n')}
<feed line="3"/>
<cut type="feed"/>
</epos-print>
</PrintData>
</ePOSPrint>
</PrintRequestInfo>
`
}

/** Each line states its whole format, so that none depends on the line before. */
function textElement({
  text,
  size,
  isBold = false,
  isReverse = false,
  isCentred = false,
  characters,
}: FittedLine): string {
  const attributes = [
    `lang="${characters === 'unicode' ? 'mul' : 'en'}"`,
    `align="${isCentred ? 'center' : 'left'}"`,
    `width="${size === 'large' ? 2 : 1}"`,
    `height="${size === undefined ? 1 : 2}"`,
    `reverse="${isReverse}"`,
    `em="${isBold}"`,
  ]
  return `<text ${attributes.join(' ')}>${escaped(text)}&#10;</text>`
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, each => escapes[each] ?? '')
}
