import { parseDecimal } from '../../../store/terms/decimal.ts'
import { type Amount, decimalText } from '../../../store/terms/money.ts'
import { denominationsOf } from '../../../store/till/denominations.ts'
import type { Counted } from '../../../store/till/till.ts'
import { type Html, html } from '../../html/html.ts'
import type { View } from '../../page/view.ts'
import { words } from '../words/money.ts'

type Money = Omit<Amount, 'minor'>

/** What a person has typed into the fields of an amount of cash. */
export interface CashInput {
  sum: string
  /** By the value of the note or coin in minor units. */
  pieces: Map<string, string>
}

export const noCash: CashInput = { sum: '', pieces: new Map() }

/** An amount as people type it, with a comma or a point. Undefined for anything else. */
export function typedAmount(text: string, { exponent }: Money): number | undefined {
  return parseDecimal(text.trim().replace(',', '.'), exponent)
}

/** Reads an amount of cash, given as pieces or as a sum. Null: nothing was given. A text says what is wrong. */
export function readCash(view: View, { sum, pieces }: CashInput, money: Money): { counted: Counted | null } | string {
  const w = words[view.language]
  const given = [...pieces].filter(([, text]) => text.trim() !== '')
  if (given.length > 0 && sum.trim() !== '') return w.bothGiven
  if (given.length > 0) {
    if (given.some(([, text]) => !/^\d{1,6}$/.test(text.trim()))) return w.notPieces
    return { counted: given.map(([value, text]) => ({ value: Number(value), pieces: Number(text) })) }
  }
  if (sum.trim() === '') return { counted: null }
  const counted = typedAmount(sum, money)
  return counted === undefined ? w.notAmount(decimalText(15_000, money.exponent)) : { counted }
}

/** The fields of an amount of cash: each note and coin, or the sum. */
export function cashFields(view: View, money: Money, input: CashInput, wrong?: string): Html {
  const w = words[view.language]
  const known = denominationsOf(money.currency)
  const sumField = html`<div class="field short"><label for="sum">${known.length > 0 ? w.orSum : w.sum} (${money.currency})</label>
<input id="sum" name="sum" inputmode="decimal" autocomplete="off" value="${input.sum}" aria-invalid="${wrong !== undefined && 'true'}" aria-describedby="${wrong !== undefined && 'cash-wrong'}"></div>`
  return html`${
    known.length > 0 &&
    html`<fieldset class="field"><legend>${w.pieces}</legend><p class="help">${w.piecesHelp}</p>
<div class="pieces">${known.map(
      value => html`<label>${view.formats.money(value, money.exponent, money.currency)}
<input name="piece-${value}" inputmode="numeric" autocomplete="off" maxlength="6" value="${input.pieces.get(String(value))}"></label>`,
    )}</div></fieldset>`
  }
${sumField}
${wrong !== undefined && html`<p class="field"><span class="wrong" id="cash-wrong">${wrong}</span></p>`}`
}
