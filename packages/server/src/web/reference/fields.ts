import { type Html, html } from '../html.ts'
import { badge } from '../parts/notice.ts'
import { nameOfRef, type Parameter, resolve, type Schema, type Schemas } from './openapi.ts'
import { boundsText, enumValues, memberSchema, typeText } from './schema-text.ts'

/** Depth at which fields are not expanded further: no schema of the service is deeper, unless it contains itself. */
const maxDepth = 6

/** Returns the members of a response as a tree; members of members are folded. */
export function fieldTree(schema: Schema, schemas: Schemas): Html {
  const members = memberSchema(schema, schemas)
  return members ? fieldList(members, schemas, 0) : html`<p>${typeText(schema, schemas)}</p>`
}

const fieldList = (
  { properties = {}, required = [] }: Schema,
  schemas: Schemas,
  depth: number,
): Html => html`<ul class="fields">
${Object.entries(properties).map(([name, schema]) =>
  field(name, schema, { isAlways: required.includes(name), schemas, depth }),
)}</ul>
`

interface FieldPlace {
  readonly isAlways: boolean
  readonly schemas: Schemas
  readonly depth: number
}

function field(name: string, schema: Schema, { isAlways, schemas, depth }: FieldPlace): Html {
  const { description } = resolve(schema, schemas)
  const members = depth < maxDepth ? memberSchema(schema, schemas) : undefined
  const inner = members && fieldList(members, schemas, depth + 1)
  const bounds = boundsText(schema, schemas)
  const type = html`<span class="type">${typeText(schema, schemas)}</span>`
  const isItems = depth === 0 && nameOfRef(schema) === undefined && resolve(schema, schemas).type === 'array'
  const folded = isItems
    ? html`<details open><summary>Each item</summary>${inner}</details>`
    : html`<details><summary>Fields of <code>${name}</code></summary>${inner}</details>`
  const texts = [
    description !== undefined && html`<p class="text">${inlineCode(description)}</p>`,
    bounds !== '' && html`<p class="bounds">${bounds}</p>`,
    valueList(enumValues(schema, schemas)),
  ]
  return html`<li><p class="field-head"><code>${name}</code> ${type}${
    isAlways &&
    html`
${badge('plain', 'always')}`
  }</p>
${texts}
${inner && folded}</li>
`
}

/** Returns the parameters of an operation. */
export const parameterList = (parameters: readonly Parameter[], schemas: Schemas): Html => html`<ul class="fields">
${parameters.map(parameter => parameterItem(parameter, schemas))}</ul>
`

function parameterItem({ name, in: place, required, description, schema, ...rest }: Parameter, schemas: Schemas): Html {
  const aliases = rest['x-aliases'] ?? []
  const found = resolve(schema, schemas)
  const bounds = boundsText(schema, schemas)
  const text = aliases.length > 0 ? description.replace(/ Also called [^.]+\.$/, '') : description
  const type = html`<span class="type">${typeText(schema, schemas)}${place !== 'query' && ` in the ${place}`}</span>`
  const also = aliases.map((alias, i) => html`${i > 0 && ', '}<code>${alias}</code>`)
  const remarks = [
    bounds,
    found.default === undefined ? '' : html`default <code>${String(found.default)}</code>`,
    aliases.length === 0 ? '' : html`also called ${also}`,
  ].filter(part => part !== '')
  const line = remarks.map((part, i) => html`${i > 0 && ' · '}${part}`)
  return html`<li id="parameter-${name}"><p class="field-head"><code>${name}</code> ${type}${
    required &&
    html`
${badge('info', 'required')}`
  }</p>
<p class="text">${inlineCode(text)}</p>
${line.length > 0 && html`<p class="bounds">${line}</p>`}${valueList(enumValues(schema, schemas))}</li>
`
}

/** Returns the values of an enumeration: in a line if they are few, else folded. */
function valueList(values: readonly string[]): Html | undefined {
  if (values.length === 0) return undefined
  const list = html`${values.map((value, i) => html`${i > 0 && ' '}<code>${value}</code>`)}`
  return values.length <= 8
    ? html`<p class="values">${list}</p>`
    : html`<details class="values"><summary>${values.length} values</summary><p>${list}</p></details>`
}

/** Returns a text with the parts between backquotes as code. */
export const inlineCode = (text: string): Html =>
  html`${text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`
