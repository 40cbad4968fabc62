import { type Html, type HtmlValue, html } from '../html.ts'
import { icon } from '../icon.ts'

/** A choice of a select, or one of several radio buttons. */
export interface Choice {
  readonly value: string
  readonly label: string
  /** Sentence that explains the choice. */
  readonly hint?: string
}

/** An input of a form. */
export interface Field {
  readonly name: string
  /** Id of the input; required where two forms of a page have fields of one name. Default: made of the name. */
  readonly id?: string
  readonly label: string
  readonly type?:
    | 'text'
    | 'email'
    | 'password'
    | 'number'
    | 'date'
    | 'url'
    | 'search'
    | 'textarea'
    | 'select'
    | 'radio'
    | 'checkbox'
    | 'checkboxes'
    | 'file'
    | 'hidden'
  /** For `checkboxes`: the chosen values. */
  readonly value?: string | readonly string[] | undefined
  readonly choices?: readonly Choice[]
  /** Sentence below the label: what to enter. */
  readonly hint?: HtmlValue
  /** Error of the value that was sent, as a sentence. */
  readonly error?: string | undefined
  readonly required?: boolean
  readonly autocomplete?: string
  readonly placeholder?: string
  /** Unit shown after the input. */
  readonly unit?: string
  /** Further attributes of the input, as markup. */
  readonly attributes?: Html
  /** Name of the group to which the field belongs; fields of a group follow one another and share a row if there is space. */
  readonly group?: string
}

/** A form. */
export interface Form {
  readonly action: string
  readonly fields: readonly Field[]
  readonly button: string
  /** Default: post. */
  readonly method?: 'get' | 'post'
  /** `danger` is for what cannot be undone. */
  readonly kind?: 'primary' | 'plain' | 'danger'
  /** Error of the form as a whole, as a sentence. */
  readonly error?: string | undefined
  /** Link next to the button, to leave the form. */
  readonly cancel?: { readonly href: string; readonly label: string }
  /** Arranges the fields in a row, as filters and small forms are. */
  readonly inline?: boolean
  readonly enctype?: 'multipart/form-data'
}

/** Returns a form. With errors it begins with a summary that links to each wrong field, and the first one has the focus. */
export function form({
  action,
  fields,
  button,
  method = 'post',
  kind = 'primary',
  error,
  cancel,
  inline,
  enctype,
}: Form): Html {
  const wrong = fields.filter(field => field.error !== undefined)
  return html`<form method="${method}" action="${action}"${inline && html` class="inline"`}${enctype !== undefined && html` enctype="${enctype}"`}>
${(error !== undefined || wrong.length > 0) && summary(error, wrong)}${renderFields(fields, wrong[0])}<p class="buttons"><button class="${kind}">${button}</button>${cancel && html` <a class="button plain" href="${cancel.href}">${cancel.label}</a>`}</p>
</form>
`
}

/** Returns a form that is a single button. */
export const buttonForm = (
  action: string,
  button: HtmlValue,
  hidden: Readonly<Record<string, string>> = {},
  kind: 'primary' | 'plain' | 'danger' = 'plain',
): Html =>
  html`<form method="post" action="${action}" class="button-form">${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button class="${kind}">${button}</button></form>`

const summary = (
  error: string | undefined,
  wrong: readonly Field[],
): Html => html`<div class="notice bad" role="alert">${icon('exclamation-circle')}<div>
${error !== undefined && html`<p>${error}</p>`}${wrong.length > 0 && html`<ul>${wrong.map(field => html`<li><a href="#${idOf(field)}">${field.label}</a>: ${field.error}</li>`)}</ul>`}
</div></div>
`

function renderFields(fields: readonly Field[], first: Field | undefined): Html[] {
  const runs: Field[][] = []
  for (const field of fields) {
    const last = runs.at(-1)
    if (last && last[0]!.group === field.group) last.push(field)
    else runs.push([field])
  }
  return runs.map(run => {
    const content = run.map(field => renderField(field, field === first))
    const [{ group }] = run as [Field]
    return group === undefined
      ? html`${content}`
      : html`<fieldset class="group"><legend>${group}</legend><div>${content}</div></fieldset>\n`
  })
}

const idOf = ({ id, name }: Field): string => `field-${(id ?? name).replaceAll(/[^\w-]/g, '-')}`

function renderField(field: Field, takesFocus: boolean): Html {
  const { name, type = 'text', value, label, required } = field
  if (type === 'hidden') return html`<input type="hidden" name="${name}" value="${value as string}">\n`
  const id = idOf(field)
  if (type === 'radio' || type === 'checkboxes') return renderGroup(field, id)
  const input = renderInput(field, id, takesFocus)
  if (type === 'checkbox')
    return html`<div class="field check">${input} <label for="${id}">${label}</label>${remarks(field, id)}</div>\n`
  return html`<div class="field"><label for="${id}">${label}${required === false && html` <span class="quiet">(optional)</span>`}</label>${remarks(field, id)}<div class="input">${input}${field.unit !== undefined && html`<span class="unit">${field.unit}</span>`}</div></div>\n`
}

const remarks = ({ hint, error }: Field, id: string): Html =>
  html`${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}${error !== undefined && html`<p class="error" id="${id}-error">${error}</p>`}`

function describedBy({ hint, error }: Field, id: string): Html | undefined {
  const ids = [...(hint !== undefined ? [`${id}-hint`] : []), ...(error !== undefined ? [`${id}-error`] : [])]
  return ids.length > 0 ? html` aria-describedby="${ids.join(' ')}"` : undefined
}

function renderInput(field: Field, id: string, takesFocus: boolean): Html {
  const { name, type = 'text', value, required = true, autocomplete = 'off', placeholder, error, choices = [] } = field
  const isRequired = required && type !== 'checkbox'
  const common = html`id="${id}" name="${name}"${describedBy(field, id)}${error !== undefined && html` aria-invalid="true"`}${isRequired && html` required`}${takesFocus && html` autofocus`}${field.attributes}`
  if (type === 'textarea') return html`<textarea ${common} rows="4">${value as string | undefined}</textarea>`
  if (type === 'select')
    return html`<select ${common}>${choices.map(choice => html`<option value="${choice.value}"${choice.value === value && html` selected`}>${choice.label}</option>`)}</select>`
  if (type === 'checkbox')
    return html`<input type="checkbox" ${common} value="yes"${value === 'yes' && html` checked`}>`
  return html`<input type="${type}" ${common}${type !== 'file' && value !== undefined && html` value="${value as string}"`} autocomplete="${autocomplete}"${placeholder !== undefined && html` placeholder="${placeholder}"`}>`
}

function renderGroup(field: Field, id: string): Html {
  const { name, type, label, choices = [], value, required } = field
  const chosen = typeof value === 'string' ? [value] : (value ?? [])
  const kind = type === 'radio' ? 'radio' : 'checkbox'
  return html`<fieldset class="field" id="${id}"${describedBy(field, id)}><legend>${label}${required === false && html` <span class="quiet">(optional)</span>`}</legend>${remarks(field, id)}
${choices.map((choice, i) => html`<div class="check"><input type="${kind}" id="${id}-${i}" name="${name}" value="${choice.value}"${chosen.includes(choice.value) && html` checked`}> <label for="${id}-${i}">${choice.label}${choice.hint !== undefined && html`<span class="hint">${choice.hint}</span>`}</label></div>\n`)}</fieldset>
`
}
