import { isEnteredByStaff, type Source } from '../terms/channels.ts'

// Words for allergies and for what causes them, as guests and staff write them, in the languages of the pages and of the most frequent
// guests. A false match costs a tap; a missed one can cost far more.
const words =
  /allerg|alerg|alérg|anaphyla|anafil|intoleran|unverträglich|coeliac|celiac|celíac|zöliak|gluten|la[ck]tos|\bnuts?\b|peanut|hazelnut|walnut|nuss|nüsse|\bnoz(es)?\b|amendoim|cacahuete|arachide|sesam|sésamo|shellfish|crustac|marisco/i

/** Whether a note mentions an allergy or what causes one. */
export function isAboutAllergy(text: string): boolean {
  return words.test(text)
}

/**
 * The notes that the kitchen must acknowledge before it bumps a ticket on a screen: all that guests have written themselves, and what
 * staff have written about allergies (decision 055).
 */
export function cautionsOf(source: Source, notes: (string | null)[]): string[] {
  const written = notes.filter(note => note !== null && note.trim() !== '') as string[]
  return isEnteredByStaff(source) ? written.filter(isAboutAllergy) : written
}
