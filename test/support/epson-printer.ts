import type { Shop } from './shop.ts'

/** A job as the printer got it. */
export interface EpsonJob {
  id: string
  /** The lines of text, unescaped. */
  text: string
  cuts: number
  xml: string
}

const namespace = 'http://www.epson-pos.com/schemas/2011/03/epos-print'

/**
 * An Epson printer with Server Direct Print and status notification as their manuals describe them, over real HTTP, one step at a
 * time. Like a real one, it silently discards an envelope that is not exactly as published.
 */
export function epsonPrinter(shop: Pick<Shop, 'url'>, secret: string) {
  const address = `${shop.url}/printers/${secret}`
  const paper: EpsonJob[] = []

  async function post(fields: Record<string, string>): Promise<{ status: number; type: string; text: string }> {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...fields, ID: 'kitchen', Name: 'TM-m30III' }).toString(),
    })
    return {
      status: response.status,
      type: response.headers.get('content-type') ?? '',
      text: await response.text(),
    }
  }

  const printer = {
    /** The jobs that it has printed. */
    paper,

    /** GetRequest: the job; undefined: none is waiting, or the envelope is wrong. */
    async request(): Promise<EpsonJob | undefined> {
      const { status, type, text } = await post({ ConnectionType: 'GetRequest' })
      if (status !== 200) throw new Error(`GetRequest: ${status} ${text}`)
      return text !== '' && type === 'text/xml; charset=utf-8' ? jobIn(text) : undefined
    },

    /** SetResponse: how a job ended. */
    report(job: Pick<EpsonJob, 'id'>, code = '', status = code === '' ? 251_854_870 : 1): Promise<{ status: number }> {
      const ResponseFile = `<?xml version="1.0" encoding="UTF-8"?>
<PrintResponseInfo Version="2.00">
  <ePOSPrint>
    <Parameter><devid>local_printer</devid><printjobid>${job.id}</printjobid></Parameter>
    <PrintResponse>
      <response xmlns="${namespace}" success="${code === ''}" code="${code}" status="${status}" battery="0"/>
    </PrintResponse>
  </ePOSPrint>
</PrintResponseInfo>`
      return post({ ConnectionType: 'SetResponse', ResponseFile })
    },

    /** SetResponse: the XML itself was refused. */
    refuse(summary: string): Promise<{ status: number }> {
      const ResponseFile = `<?xml version="1.0" encoding="utf-8"?>
<PrintResponseInfo Version="3.00"><ServerDirectPrint><Response Success="false">
<ErrorSummary>${summary}</ErrorSummary><ErrorDetail>line 99</ErrorDetail></Response></ServerDirectPrint></PrintResponseInfo>`
      return post({ ConnectionType: 'SetResponse', ResponseFile })
    },

    /** SetStatus: the printer's state, as bits. */
    status(bits: number): Promise<{ status: number }> {
      const Status = `<?xml version="1.0" encoding="utf-8"?>
<statusmonitor Version="1.00">
<printerstatus devicename="local_printer" asbstatus = "0x${bits.toString(16).padStart(8, '0')}"/>
</statusmonitor>`
      return post({ ConnectionType: 'SetStatus', Status })
    },

    /** Prints all that waits. Returns how many jobs that were. */
    async run(): Promise<number> {
      let jobs = 0
      for (let job = await printer.request(); job; job = await printer.request()) {
        paper.push(job)
        await printer.report(job)
        jobs++
      }
      return jobs
    },
  }
  return printer
}

export type EpsonPrinter = ReturnType<typeof epsonPrinter>

// What the printer understands: the published envelope, and of ePOS-Print the elements text, feed and cut.
const envelope =
  /^<\?xml version="1\.0" encoding="utf-8"\?>\s*<PrintRequestInfo Version="2\.00">\s*<ePOSPrint>\s*<Parameter>\s*<devid>local_printer<\/devid>\s*<timeout>\d{1,6}<\/timeout>\s*<printjobid>([\w.-]{1,30})<\/printjobid>\s*<\/Parameter>\s*<PrintData>\s*<epos-print xmlns="([^"]*)">([\s\S]*)<\/epos-print>\s*<\/PrintData>\s*<\/ePOSPrint>\s*<\/PrintRequestInfo>\s*$/
const element =
  /^\s*(?:<text((?: (?:lang|align|width|height|reverse|em)="[a-z0-9-]+")*)>([^<>]*)<\/text>|<feed line="\d+"\/>|(<cut type="feed"\/>))/
const escapes: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#10': '\n' }

function jobIn(xml: string): EpsonJob | undefined {
  const [, id, xmlns, body] = envelope.exec(xml) ?? []
  if (id === undefined || body === undefined || xmlns !== namespace) return undefined
  // XML 1.0 has no other control characters.
  if (/\p{Cc}|\ufffe|\uffff/u.test(xml.replaceAll('\n', ''))) return undefined
  let rest = body
  let text = ''
  let cuts = 0
  while (rest.trim() !== '') {
    const found = element.exec(rest)
    if (!found) return undefined
    const [whole, , written = '', cut] = found
    if (/&(?!(amp|lt|gt|quot|apos|#10);)/.test(written)) return undefined
    text += written.replaceAll(/&([a-z]+|#10);/g, (_, name: string) => escapes[name] ?? '')
    if (cut !== undefined) cuts++
    rest = rest.slice(whole.length)
  }
  return { id, text, cuts, xml }
}
