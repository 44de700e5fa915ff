import type { Outcome } from '../../store/printing/jobs.ts'
import type { Printer } from '../../store/printing/printers.ts'
import { readBody } from '../http/body.ts'
import type { App, Call, DeviceCaller } from '../http/handler.ts'
import type { PrinterCondition } from '../http/printers-heard.ts'
import { type Reply, refuse } from '../http/reply.ts'
import { epsonRequest } from './epson-paper.ts'

// Epson Server Direct Print and its status notification: the printer POSTs a form and gets a job as XML, prints it, and POSTs the
// result. An empty response means that nothing waits, or that a report was received.

const MOST_BYTES = 256 * 1024
const type = 'text/xml; charset=utf-8'
const nothing: Reply = { kind: 'bytes', type, bytes: Buffer.alloc(0) }

/** POST: the printer asks for a job, reports how jobs ended, or reports its state. */
export async function serveEpson(
  app: App,
  { exchange }: Call<DeviceCaller>,
  printer: Printer,
): Promise<Reply | undefined> {
  const read = await readBody(exchange, MOST_BYTES)
  if (!read.ok) return read.reason === 'gone' ? undefined : refuse('PAYLOAD_TOO_LARGE')
  // Some firmware sends the XML unescaped, which this parser takes as well.
  const form = new URLSearchParams(read.bytes.toString('utf8'))
  switch (form.get('ConnectionType')) {
    case 'GetRequest':
      return giveJob(app, printer)
    case 'SetResponse':
      return takeResult(app, printer, form.get('ResponseFile') ?? '')
    case 'SetStatus':
      return takeStatus(app, printer, form.get('Status') ?? form.get('ResponseFile') ?? '')
    default:
      return refuse('BAD_REQUEST')
  }
}

async function giveJob({ store, writer }: App, { id }: Printer): Promise<Reply> {
  const offer = store.printing.next(id) && (await writer.chore('offerPrintJob', id, true))
  return offer ? { kind: 'bytes', type, bytes: Buffer.from(epsonRequest(offer)) } : nothing
}

/** Records how jobs ended. A report that names no job is about the one that the printer has. */
async function takeResult(app: App, { id }: Printer, report: string): Promise<Reply> {
  const isRefused = /<Response\b[^>]*\bSuccess\s*=\s*"false"/.test(report)
  const results = isRefused ? [{ token: null, outcome: refusedBy(report), status: '' }] : resultsIn(report)
  if (results.length === 0) return refuse('BAD_REQUEST')
  for (const { token, outcome, status } of results) {
    const problem = outcome.isPrinted ? '' : outcome.problem
    app.printersHeard.note(id, conditionOf(problem, Number(status)))
    await app.writer.chore('finishPrintJob', id, token, outcome)
  }
  return nothing
}

function takeStatus(app: App, { id }: Printer, report: string): Reply {
  const [, tag = ''] = /<printerstatus\b([^>]*\blocal_printer\b[^>]*)/.exec(report) ?? []
  const status = attribute(tag, 'asbstatus')
  if (status !== undefined) app.printersHeard.note(id, conditionOf('', Number(status)))
  return nothing
}

interface Result {
  token: string | null
  outcome: Outcome
  /** Bits, as a decimal number. */
  status: string
}

function resultsIn(report: string): Result[] {
  const parts = report.match(/<ePOSPrint>[\s\S]*?<\/ePOSPrint>/g) ?? [report]
  return parts.flatMap(part => {
    const [, tag] = /<response\b([^>]*)>/.exec(part) ?? []
    const success = tag === undefined ? undefined : attribute(tag, 'success')
    if (tag === undefined || success === undefined) return []
    const [, token = null] = /<printjobid>\s*([\w.-]{1,30})\s*<\/printjobid>/.exec(part) ?? []
    const code = attribute(tag, 'code') || 'failed'
    const isPrinted = success === 'true' || success === '1'
    const outcome = isPrinted ? ({ isPrinted } as const) : failed(code, finalCodes.has(code))
    return [{ token, outcome, status: attribute(tag, 'status') ?? '0' }]
  })
}

/** Errors that a further attempt would repeat. */
const finalCodes = new Set(['SchemaError', 'DeviceNotFound', 'RequestEntityTooLarge'])

function refusedBy(report: string): Outcome {
  const [, summary = 'the printer refused the XML'] = /<ErrorSummary>([^<]*)</.exec(report) ?? []
  return failed(summary, true)
}

function failed(problem: string, isFinal: boolean): Outcome {
  return { isPrinted: false, problem: problem.slice(0, 100), isFinal }
}

/** Reads a printer's state from the error code of a job and the bits of its status. */
function conditionOf(code: string, status: number): { condition: PrinterCondition; words: string } {
  const has = (bit: number) => Number.isSafeInteger(status) && Math.floor(status / bit) % 2 === 1
  const words = code || `status 0x${(Number.isSafeInteger(status) ? status : 0).toString(16).padStart(8, '0')}`
  if (code === 'EPTR_REC_EMPTY' || has(0x80000)) return { condition: 'paper out', words }
  if (code === 'EPTR_COVER_OPEN' || has(0x20)) return { condition: 'cover open', words }
  const isBroken = has(0x1) || has(0x8) || has(0x400) || has(0x800) || has(0x2000)
  if (isBroken || /^EPTR_|^EX_/.test(code)) return { condition: 'error', words }
  return { condition: has(0x20000) ? 'paper low' : 'ready', words }
}

function attribute(tag: string, name: string): string | undefined {
  return new RegExp(`\\b${name}\\s*=\\s*"([^"]*)"`).exec(tag)?.[1]
}
