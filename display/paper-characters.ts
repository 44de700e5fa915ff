import type { Characters } from '../store/printing/printers.ts'
import type { Language } from './language.ts'

// Letters and signs that Unicode does not decompose into plain letters, and how they are usually written with those.
const plainForms: Record<string, string> = {
  ...{
    ß: 'ss',
    ẞ: 'SS',
    æ: 'ae',
    Æ: 'AE',
    œ: 'oe',
    Œ: 'OE',
    ø: 'o',
    Ø: 'O',
    ł: 'l',
    Ł: 'L',
    đ: 'd',
    Đ: 'D',
    ð: 'd',
    Ð: 'D',
  },
  ...{ þ: 'th', Þ: 'Th', ħ: 'h', Ħ: 'H', ı: 'i', ŋ: 'ng', Ŋ: 'Ng', ŧ: 't', Ŧ: 'T', ĸ: 'k', ə: 'e', Ə: 'E' },
  ...{ '€': 'EUR', '£': 'GBP', '¥': 'JPY', '¢': 'ct', '₺': 'TRY', '₴': 'UAH', '₽': 'RUB', '₹': 'INR', '₪': 'ILS' },
  ...{ '‘': "'", '’': "'", '‚': "'", '‹': "'", '›': "'", '“': '"', '”': '"', '„': '"', '«': '"', '»': '"', '´': "'" },
  ...{ '–': '-', '—': '-', '‐': '-', '‑': '-', '−': '-', '…': '...', '•': '*', '·': '.', '×': 'x', '÷': ':', '⁄': '/' },
  ...{ '°': 'deg', '±': '+/-', '§': 'S.', '©': '(c)', '®': '(R)', '¡': '!', '¿': '?', '→': '->', '✓': 'v', '✗': 'x' },
  ...lettersOf('αβγδεζηθικλμνξοπρστυφχψως', 'a v g d e z i th i k l m n x o p r s t y f ch ps o s'),
  ...lettersOf(
    'абвгдеёжзийклмнопрстуфхцчшщъыьэюя',
    'a b v g d e e zh z i i k l m n o p r s t u f kh ts ch sh shch . y . e yu ya',
  ),
  ...lettersOf('єіїґћђљњџјѕ', 'ie i i g c dj lj nj dz j dz'),
}

const germanForms: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue' }

// The characters of Windows-1252 above those of Latin-1, in the order of their bytes from 0x80; "\0" stands for an unused byte.
const highWestern = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ'

/** The plain forms of an alphabet in both cases; ".": the letter is left out. */
function lettersOf(letters: string, forms: string): Record<string, string> {
  const split = forms.split(' ').map(form => (form === '.' ? '' : form))
  return Object.fromEntries(
    [...letters].flatMap((letter, index) => {
      const form = split[index] ?? ''
      const upper = letter.toUpperCase()
      const capital = form.charAt(0).toUpperCase() + form.slice(1)
      return upper === letter
        ? [[letter, form]]
        : [
            [upper, capital],
            [letter, form],
          ]
    }),
  )
}

/** The byte of a character in Windows-1252; undefined if it has none. */
export function westernByte(character: string): number | undefined {
  const code = character.codePointAt(0) ?? 0
  if ((code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff)) return code
  const place = character === '\0' ? -1 : highWestern.indexOf(character)
  return place === -1 ? undefined : 0x80 + place
}

/**
 * A text as one line for a printer. Nothing in it can be a command: control characters, invisible characters
 * and line breaks become spaces. A character that the printer lacks is written with those that it has, or as its code, such as
 * [U+4E2D]: nothing is lost.
 */
export function paperText(text: string, characters: Characters, language: Language): string {
  const clean = text
    .toWellFormed()
    .normalize('NFC')
    // Line and paragraph separators, and all that is control, format, private or unassigned. Joiners and variation selectors
    // leave no space, because they stand inside a character.
    .replaceAll(/\u200c|\u200d|\ufe0e|\ufe0f/g, '')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\p{Zs}]+/gu, ' ')
    .trim()
  return characters === 'unicode' ? clean : Array.from(clean, each => written(each, characters, language)).join('')
}

function written(character: string, characters: Characters, language: Language): string {
  if (character >= ' ' && character <= '~') return character
  if (characters === 'western' && westernByte(character) !== undefined) return character
  if (language === 'de' && germanForms[character] !== undefined) return germanForms[character]
  const known = plainForms[character]
  if (known !== undefined) return known
  // A letter without its accents, in the kitchen's usual form.
  const bare = character.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  if (bare === '' && /\p{M}/u.test(character)) return ''
  const forms = Array.from(bare, each => (each >= ' ' && each <= '~' ? each : plainForms[each]))
  return forms.every(form => form !== undefined) ? forms.join('') : codeOf(character)
}

function codeOf(character: string): string {
  return `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`
}

/** How many columns a text takes: characters of East Asia and emojis are twice as wide. */
export function columnsOf(text: string): number {
  let columns = 0
  for (const each of text) columns += isWide(each) ? 2 : isCombining(each) ? 0 : 1
  return columns
}

function isWide(character: string): boolean {
  return /[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60]/u.test(
    character,
  )
}

function isCombining(character: string): boolean {
  return /\p{M}/u.test(character)
}
