import type { Refusal } from './refusal.ts'
import { flawOfText } from './text.ts'

/** The maximum number of characters of a reason, a note or a reference. */
export const LONGEST_REMARK = 200

const fields = ['reason', 'note', 'reference'] as const

/** What people write about an act. Null or left out: nothing. */
export type Remarks = { [Field in (typeof fields)[number]]?: string | null | undefined }

/** Refuses a remark that is blank or longer than 200 characters: an unset variable of a script must not count as a reason. */
export function refuseRemarks(remarks: Remarks): Refusal<'text'> | undefined {
  for (const field of fields) {
    const text = remarks[field]
    const flaw = text == null ? null : flawOfText(text, { least: 1, most: LONGEST_REMARK })
    if (flaw) return { refused: 'text', field, flaw }
  }
  return undefined
}
