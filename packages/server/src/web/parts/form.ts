import { type BoundedField, textBounds } from '../../domain/text-bounds.ts'
import { attribute, type Html, type HtmlValue, html } from '../html.ts'
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
  /** Lines of a `textarea`; default 4. */
  readonly rows?: number
  /** Unit shown after the input. */
  readonly unit?: string
  /** Further attributes of the input, as markup. */
  readonly attributes?: Html
  /** Name of the field's group. Fields of a group follow one another and share a row if there is space. */
  readonly group?: string
}

/** A form. */
export interface Form {
  readonly action: string
  readonly fields: readonly Field[]
  readonly button: string
  /**
   * Default: post. `dialog` is for forms that only a script sends: the browser itself sends nothing (HTML §4.10.22.3),
   * so that a key does not get into the URL where scripts are off.
   */
  readonly method?: 'get' | 'post' | 'dialog'
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

/**
 * Returns a form. With errors it begins with a summary that links to each wrong field, and the first wrong field has
 * the focus.
 */
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
  if (method === 'get' && fields.some(({ type }) => type === 'password'))
    throw new Error('A form that puts its fields into the URL must not ask for a password.')
  const wrong = fields.filter(field => field.error !== undefined)
  const attributes = [attribute('class', inline && 'inline'), attribute('enctype', enctype)]
  const errors = errorSummary(error, wrong)
  const leave = cancel && html` <a class="button plain" href="${cancel.href}">${cancel.label}</a>`
  return html`<form method="${method}" action="${action}"${attributes}>
${errors}${renderFields(fields, wrong[0])}<p class="buttons"><button class="${kind}">${button}</button>${leave}</p>
</form>
`
}

/** Returns a form in one row that requests a page again, with its fields in the URL: a filter, a search or a choice. */
export const queryForm = (action: string, button: string, fields: readonly Field[]): Html =>
  form({ action, button, fields, method: 'get', inline: true, kind: 'plain' })

/** Returns the filters of a list as a form; on narrow windows they are folded, unless `isOpen`. */
export const filterForm = (action: string, button: string, fields: readonly Field[], isOpen: boolean): Html =>
  foldedFilters(queryForm(action, button, fields), isOpen)

/** Returns filters that are folded on narrow windows, unless `isOpen`. */
export const foldedFilters = (filters: Html, isOpen: boolean): Html =>
  html`<details class="folded"${attribute('open', isOpen)}><summary>${icon('funnel')} Filters</summary>
${filters}</details>
`

/** Returns a form that is a single button. */
export function buttonForm(
  action: string,
  button: HtmlValue,
  hidden: Readonly<Record<string, string>> = {},
  kind: 'primary' | 'plain' | 'danger' = 'plain',
): Html {
  const inputs = Object.entries(hidden).map(([name, value]) => hiddenInput(name, value))
  const submit = html`<button class="${kind}">${button}</button>`
  return html`<form method="post" action="${action}" class="button-form">${inputs}${submit}</form>`
}

const hiddenInput = (name: string, value: string | undefined): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`

/** Returns the summary above the fields of a form: what is wrong as a whole, and links to the wrong fields. */
export function errorSummary(error: string | undefined, wrong: readonly Field[]): HtmlValue {
  if (error === undefined && wrong.length === 0) return undefined
  const links = wrong.map(field => html`<li><a href="#${idOf(field)}">${field.label}</a>: ${field.error}</li>`)
  return html`<div class="notice bad" role="alert">${icon('exclamation-circle')}<div>
${error !== undefined && html`<p>${error}</p>`}${wrong.length > 0 && html`<ul>${links}</ul>`}
</div></div>
`
}

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

/** Returns a field of a form, with its hint and its error. */
export function renderField(field: Field, takesFocus: boolean): Html {
  const { name, type = 'text', value, label, unit } = field
  if (type === 'hidden') return html`${hiddenInput(name, value as string)}\n`
  const id = idOf(field)
  if (type === 'radio' || type === 'checkboxes') return renderGroup(field, id, takesFocus)
  const input = renderInput(field, id, takesFocus)
  if (type === 'checkbox')
    return html`<div class="field check">${input} <label for="${id}">${label}</label>${remarks(field, id)}</div>\n`
  const head = html`<label for="${id}">${labelText(field)}</label>${remarks(field, id)}`
  const suffix = unit !== undefined && html`<span class="unit">${unit}</span>`
  return html`<div class="field">${head}<div class="input">${input}${suffix}</div></div>\n`
}

const labelText = ({ label, required }: Field): Html =>
  html`${label}${required === false && html` <span class="quiet">(optional)</span>`}`

const remarks = ({ hint, error }: Field, id: string): HtmlValue => [
  hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`,
  error !== undefined && html`<p class="error" id="${id}-error">${error}</p>`,
]

function describedBy({ hint, error }: Field, id: string): Html | undefined {
  const ids = [...(hint !== undefined ? [`${id}-hint`] : []), ...(error !== undefined ? [`${id}-error`] : [])]
  return attribute('aria-describedby', ids.length > 0 && ids.join(' '))
}

function renderInput(field: Field, id: string, takesFocus: boolean): Html {
  const {
    name,
    type = 'text',
    required = true,
    autocomplete = 'off',
    placeholder,
    error,
    choices = [],
    rows = 4,
  } = field
  const value = field.value as string | undefined
  const common = html`id="${id}" name="${name}"${[
    describedBy(field, id),
    attribute('aria-invalid', error !== undefined && 'true'),
    attribute('required', required && type !== 'checkbox'),
    attribute('autofocus', takesFocus),
    attribute('maxlength', boundedTypes.has(type) && maxLength(name)),
    field.attributes,
  ]}`
  if (type === 'textarea') return html`<textarea ${common} rows="${rows}">${value}</textarea>`
  if (type === 'select') return html`<select ${common}>${choices.map(choice => renderOption(choice, value))}</select>`
  if (type === 'checkbox')
    return html`<input type="checkbox" ${common} value="yes"${attribute('checked', value === 'yes')}>`
  const rest = [
    attribute('value', type !== 'file' && value),
    attribute('autocomplete', autocomplete),
    attribute('placeholder', placeholder),
  ]
  return html`<input type="${type}" ${common}${rest}>`
}

/** The types of inputs that have a maximum length. */
const boundedTypes: ReadonlySet<string> = new Set(['text', 'textarea', 'email', 'url'])

/** Returns the maximum number of characters of a field whose text has bounds. */
const maxLength = (name: string): string | undefined =>
  Object.hasOwn(textBounds, name) ? String(textBounds[name as BoundedField].max) : undefined

const renderOption = ({ value, label }: Choice, chosen: string | undefined): Html =>
  html`<option value="${value}"${attribute('selected', value === chosen)}>${label}</option>`

function renderGroup(field: Field, id: string, takesFocus: boolean): Html {
  const { name, type, choices = [], value } = field
  const chosen = typeof value === 'string' ? [value] : (value ?? [])
  const kind = type === 'radio' ? 'radio' : 'checkbox'
  const renderChoice = (choice: Choice, i: number) => {
    const hint = choice.hint !== undefined && html`<span class="hint">${choice.hint}</span>`
    const checked = attribute('checked', chosen.includes(choice.value))
    const focus = attribute('autofocus', takesFocus && i === 0)
    const input = html`<input type="${kind}" id="${id}-${i}" name="${name}" value="${choice.value}"${checked}${focus}>`
    return html`<div class="check">${input} <label for="${id}-${i}">${choice.label}${hint}</label></div>\n`
  }
  const legend = html`<legend>${labelText(field)}</legend>${remarks(field, id)}`
  return html`<fieldset class="field" id="${id}"${describedBy(field, id)}>${legend}
${choices.map(renderChoice)}</fieldset>
`
}
