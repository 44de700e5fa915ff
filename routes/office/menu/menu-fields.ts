import { type Html, html } from '../../html/html.ts'

export interface Field {
  name: string
  label: string
  value: string | number | null
  /** Below the field. */
  help?: string | undefined
  /** What is wrong with the value; shown instead of the help. */
  wrong?: string | undefined
  inputmode?: 'decimal' | 'numeric'
  isRequired?: boolean
}

/** A text field with its label, and help or what is wrong with it below. */
export function textField(field: Field): Html {
  const { name, value, inputmode, isRequired = false } = field
  return labelled(
    field,
    html`<input id="${name}" name="${name}" value="${value ?? ''}" inputmode="${inputmode}" autocomplete="off" required="${isRequired}" aria-invalid="${field.wrong !== undefined && 'true'}" aria-describedby="${described(field)}">`,
  )
}

/** A text field of several lines. */
export function textArea(field: Field): Html {
  const { name, value } = field
  return labelled(
    field,
    html`<textarea id="${name}" name="${name}" rows="3" aria-invalid="${field.wrong !== undefined && 'true'}" aria-describedby="${described(field)}">${String(value ?? '')}</textarea>`,
  )
}

/** A choice of one value. */
export function selectField(field: Field, options: readonly { value: string | number; label: string }[]): Html {
  const { name, value } = field
  const entries = options.map(
    option =>
      html`<option value="${option.value}" selected="${String(option.value) === String(value ?? '')}">${option.label}</option>`,
  )
  return labelled(
    field,
    html`<select id="${name}" name="${name}" aria-invalid="${field.wrong !== undefined && 'true'}" aria-describedby="${described(field)}">${entries}</select>`,
  )
}

/** A checkbox with its label. It is sent as "on", or not at all. */
export function checkField(name: string, label: string, isChecked: boolean): Html {
  return html`<label class="choice"><input type="checkbox" name="${name}" checked="${isChecked}">${label}</label>`
}

function labelled({ name, label, help, wrong }: Field, input: Html): Html {
  return html`<div class="field"><label for="${name}">${label}</label>${input}${
    wrong !== undefined
      ? html`<span class="wrong" id="${name}-wrong">${wrong}</span>`
      : help !== undefined && html`<span class="help" id="${name}-help">${help}</span>`
  }</div>`
}

function described({ name, help, wrong }: Field): string | undefined {
  if (wrong !== undefined) return `${name}-wrong`
  return help === undefined ? undefined : `${name}-help`
}
