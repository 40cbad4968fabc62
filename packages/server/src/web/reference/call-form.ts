import { embedJson, type Html, type HtmlValue, html } from '../html.ts'
import { type Field, form } from '../parts/form.ts'
import { inlineCode } from './fields.ts'
import type { Header, Parameter, Schemas } from './openapi.ts'
import { resolve } from './openapi.ts'
import type { ReferenceOperation } from './operations.ts'
import { exampleValues } from './operations.ts'
import { enumValues, typeText } from './schema-text.ts'

/** Texts that explain the headers of a response, by name. */
export type HeaderTexts = Readonly<Record<string, Pick<Header, 'description'>>>

/** The parts of a form that sends a call. */
export interface CallForm {
  readonly operation: ReferenceOperation
  /** Address of the partner API: a path of this origin, or another origin that its CORS settings allow for. */
  readonly apiUrl: string
  /** The version that the call names; undefined if the operation has none. */
  readonly version: string | undefined
  readonly headers: HeaderTexts
  /** The input for the key, and hidden fields. */
  readonly keyFields: readonly Field[]
  /** Address that makes a secret of the explorer key, for calls without a key. */
  readonly keyUrl?: string
  /** Shown above the result. */
  readonly side?: HtmlValue
}

/** Returns a form with which a reader sends a call from the browser. Needs the script call.js. */
export const callForm = ({
  operation,
  apiUrl,
  version,
  headers,
  keyFields,
  keyUrl,
  side,
}: CallForm): Html => html`<div class="call" data-call data-url="${apiUrl}"
data-method="${operation.method}" data-path="${operation.path}"${keyUrl !== undefined && html` data-key-url="${keyUrl}"`}>
${form({
  action: '#',
  method: 'dialog',
  button: 'Send',
  fields: [
    ...keyFields,
    ...operation.parameters.map(parameter => parameterField(parameter, operation)),
    ...(operation.body ? [bodyField(operation.body.example)] : []),
    ...(version === undefined ? [] : [{ name: 'version', label: 'version', type: 'hidden' as const, value: version }]),
  ],
})}
<script type="application/json" class="header-texts">${embedJson(headerTexts(headers))}</script>
<div class="call-side">${side}<div class="call-result" role="status"></div></div>
</div>
`

/** Returns the meaning of each header of an answer by its name in lower case, as plain text. */
const headerTexts = (headers: CallForm['headers']): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, { description }]) => [name.toLowerCase(), description.replaceAll('`', '')]),
  )

/** Returns the field of a JSON body, with an example. */
const bodyField = (example: unknown): Field => ({
  name: 'body',
  label: 'Body',
  type: 'textarea',
  value: JSON.stringify(example, null, 2),
  hint: 'JSON, as it is sent.',
  rows: 12,
  attributes: html` spellcheck="false"`,
})

function parameterField(parameter: Parameter, operation: ReferenceOperation): Field {
  const { name, required, schema } = parameter
  const value = exampleValues(operation)[name]
  const common = { name, label: name, required, value }
  const values = enumValues(schema, operation.schemas)
  const isList = resolve(schema, operation.schemas).items !== undefined
  if (values.length > 0 && !isList) return { ...common, ...selectOf(values, required) }
  if (resolve(schema, operation.schemas).type === 'boolean')
    return { ...common, ...selectOf(['true', 'false'], required) }
  return { ...common, placeholder: placeholderOf(parameter, operation.schemas), hint: hintOf(parameter, values) }
}

const selectOf = (values: readonly string[], required: boolean) => ({
  type: 'select' as const,
  choices: [...(required ? [] : ['']), ...values].map(value => ({ value, label: value === '' ? 'not sent' : value })),
})

/** Returns what an empty input shows: the default, the first values, the range or the type; nothing for any text. */
function placeholderOf({ schema }: Parameter, schemas: Schemas): string {
  const found = resolve(schema, schemas)
  const { minimum, maximum } = found
  if (found.default !== undefined) return `default: ${String(found.default)}`
  const values = enumValues(schema, schemas)
  if (found.items) return values.length > 0 ? values.slice(0, 2).join(',') : 'one,two,…'
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  return found.type === 'string' && found.format === undefined ? '' : typeText(schema, schemas)
}

const hintOf = ({ description }: Parameter, values: readonly string[]): Html | undefined =>
  values.length === 0
    ? undefined
    : html`${inlineCode(description)} ${values.slice(0, 6).join(', ')}${values.length > 6 && ' …'}`
