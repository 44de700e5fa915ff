import type { Job, Outcome } from '../../store/printing/jobs.ts'
import type { Printer } from '../../store/printing/printers.ts'
import { parseJson, readBody } from '../http/body.ts'
import type { App, Call, DeviceCaller } from '../http/handler.ts'
import { queryOf } from '../http/head.ts'
import type { PrinterCondition } from '../http/printers-heard.ts'
import { type Reply, refuse } from '../http/reply.ts'
import { starCommands, starText } from './star-paper.ts'

// Star CloudPRNT over HTTP, from the protocol guide 2.4: the printer POSTs its state and learns that a job is ready, GETs the job, and
// DELETEs it with a code.

const MOST_BYTES = 64 * 1024

/** The media types in which a job can be fetched; the printer chooses one. */
const commandTypes = ['application/vnd.star.starprnt', 'application/vnd.star.line']
const mediaTypes = [...commandTypes, 'text/plain']

/** POST: the printer reports its state and learns whether a job is ready. */
export async function pollStar(
  app: App,
  { exchange }: Call<DeviceCaller>,
  { id }: Printer,
): Promise<Reply | undefined> {
  const read = await readBody(exchange, MOST_BYTES)
  if (!read.ok) return read.reason === 'gone' ? undefined : refuse('PAYLOAD_TOO_LARGE')
  const body = parseJson(read.bytes)?.value
  if (typeof body !== 'object' || body === null) return refuse('BAD_REQUEST')
  const { statusCode, status, printingInProgress } = body as Record<string, unknown>
  app.printersHeard.note(id, conditionOf(text(statusCode), text(status)))
  const isPrinting = printingInProgress === true
  const job = isPrinting ? null : app.store.printing.next(id)
  const token = job && (await tokenOf(app, id, job))
  if (token === null) return { kind: 'json', status: 200, body: { jobReady: false } }
  return {
    kind: 'json',
    status: 200,
    body: { jobReady: true, mediaTypes, jobToken: token, deleteMethod: 'DELETE' },
  }
}

/** The token of the job that is offered. A job that was offered before and not fetched needs no write. */
async function tokenOf({ writer }: App, id: Printer['id'], job: Job): Promise<string | null> {
  if (job.offeredAt !== null && job.fetchedAt === null) return `${job.id}-${job.attempt}`
  return (await writer.chore('offerPrintJob', id, false))?.token ?? null
}

/** GET: the job as commands or text; with `delete`, a confirmation. */
export async function fetchStar(app: App, call: Call<DeviceCaller>, printer: Printer): Promise<Reply | undefined> {
  const query = queryOf(call.exchange.request)
  if (query.has('delete')) return confirmStar(app, call, printer)
  const type = (query.get('type') ?? '').split(';')[0]?.trim() ?? ''
  if (!mediaTypes.includes(type)) return refuse('UNSUPPORTED_MEDIA_TYPE')
  const offer = await app.writer.chore('fetchPrintJob', printer.id, query.get('token'))
  if (!offer) return refuse('NOT_FOUND')
  const bytes = commandTypes.includes(type) ? starCommands(offer) : starText(offer)
  return { kind: 'bytes', type, bytes }
}

/** DELETE: the printer says how a job ended. */
export async function confirmStar(app: App, { exchange }: Call<DeviceCaller>, { id }: Printer): Promise<Reply> {
  const query = queryOf(exchange.request)
  const code = query.get('code') ?? ''
  if (!/^(OK|\d)/i.test(code)) return refuse('BAD_REQUEST')
  const said = conditionOf(code, '')
  if (said.condition !== 'error') app.printersHeard.note(id, said)
  await app.writer.chore('finishPrintJob', id, query.get('token'), outcomeOf(code))
  // Also for a job that has already ended: the printer may not have received the first response.
  return { kind: 'json', status: 200, body: {} }
}

/** Codes that begin with 2 mean success. A media type that the printer cannot print would fail again; everything else may work later. */
function outcomeOf(code: string): Outcome {
  if (/^(2|OK)/i.test(code)) return { isPrinted: true }
  return { isPrinted: false, problem: code.slice(0, 100), isFinal: /^5(1|21)/.test(code) }
}

/** Reads a printer's state: a code such as "410 Out of paper", sometimes URL-encoded, and the bytes of its status in hexadecimal. */
function conditionOf(statusCode: string, status: string): { condition: PrinterCondition; words: string } {
  const words = unescaped(statusCode)
  const byCode = conditionOfCode(words)
  return { condition: byCode === 'ready' ? conditionOfBytes(status) : byCode, words: words || status }
}

function conditionOfCode(code: string): PrinterCondition {
  if (/^41/.test(code)) return 'paper out'
  if (/^42/.test(code)) return 'cover open'
  if (/^21/.test(code)) return 'paper low'
  return /^[45]/.test(code) ? 'error' : 'ready'
}

/** Star's automatic status: the third byte says whether the cover is open and the printer is offline, the sixth how much paper there is. */
function conditionOfBytes(status: string): PrinterCondition {
  const bytes = status
    .trim()
    .split(/\s+/)
    .map(each => Number.parseInt(each, 16))
  const has = (byte: number, bit: number) => ((bytes[byte] ?? 0) & (1 << bit)) !== 0
  if (has(5, 3)) return 'paper out'
  if (has(2, 5)) return 'cover open'
  if (has(2, 3)) return 'error'
  return has(5, 2) ? 'paper low' : 'ready'
}

function unescaped(value: string): string {
  try {
    return decodeURIComponent(value).trim()
  } catch {
    return value.trim()
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
