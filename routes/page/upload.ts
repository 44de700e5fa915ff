import { readBody } from '../http/body.ts'
import type { Call, Caller } from '../http/handler.ts'

/** A form with a file (multipart/form-data). */
export interface Upload {
  /** The text of a field; empty if it was not sent once. */
  text(name: string): string
  /** The file of the field `file`; null if none was chosen. */
  file: { name: string; bytes: Buffer } | null
}

export type ReadUpload = { ok: true; upload: Upload } | { ok: false; reason: 'too large' | 'malformed' | 'gone' }

/** Reads a form with a file, of at most so many bytes in all. Other types than multipart/form-data are malformed. */
export async function readUpload(
  { exchange, head }: Pick<Call<Caller>, 'exchange' | 'head'>,
  most: number,
): Promise<ReadUpload> {
  const [type = ''] = head.contentType
  const read = await readBody(exchange, most)
  if (!read.ok) return read
  if (head.contentType.length !== 1 || !/^multipart\/form-data\s*;/i.test(type))
    return { ok: false, reason: 'malformed' }
  const data = await new Response(Uint8Array.from(read.bytes), { headers: { 'Content-Type': type } })
    .formData()
    .catch(() => null)
  if (!data) return { ok: false, reason: 'malformed' }
  const file = data.get('file')
  return {
    ok: true,
    upload: {
      text(name) {
        const [value, ...others] = data.getAll(name)
        return typeof value === 'string' && others.length === 0 ? value : ''
      },
      file:
        file instanceof File && file.size > 0
          ? { name: file.name, bytes: Buffer.from(await file.arrayBuffer()) }
          : null,
    },
  }
}
