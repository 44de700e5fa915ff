import { type Html, html } from '../html/html.ts'

/** A field of a form with its label. */
export interface Field {
  label: string
  name: string
  /** By default its name. */
  id?: string
  type?: 'text' | 'password'
  value?: string | undefined
  autocomplete?: string
  /** The keyboard of phones. */
  inputmode?: 'numeric'
  maxlength?: number
  isOptional?: boolean
  /** The first thing to fill in on its page. */
  isFirst?: boolean
  help?: string | undefined
  /** What is wrong with what was sent. */
  wrong?: string | undefined
}

export function field(given: Field): Html {
  const {
    label,
    name,
    id = name,
    type = 'text',
    value,
    autocomplete,
    inputmode,
    maxlength,
    isOptional,
    isFirst,
    help,
    wrong,
  } = given
  const isCode = autocomplete === 'off' || autocomplete === 'username'
  return html`<div class="field">
<label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}" autocapitalize="${isCode && 'none'}" spellcheck="${isCode && 'false'}" inputmode="${inputmode}" maxlength="${maxlength}" required="${!isOptional}" autofocus="${isFirst === true}" aria-invalid="${wrong !== undefined && 'true'}" aria-describedby="${describedBy(given)}">
${wrong !== undefined && html`<p class="wrong" id="${id}-wrong">${wrong}</p>`}
${help !== undefined && html`<p class="help" id="${id}-help">${help}</p>`}
</div>`
}

function describedBy({ name, id = name, help, wrong }: Field): string | undefined {
  const ids = [wrong !== undefined && `${id}-wrong`, help !== undefined && `${id}-help`].filter(id => id !== false)
  return ids.length > 0 ? ids.join(' ') : undefined
}
