/** The subset of JSON Schema from which `describeExpectedValue` makes a text. */
export interface ValueSchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null'
  readonly items?: ValueSchema
  readonly anyOf?: readonly ValueSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly format?: string
  readonly maxLength?: number
  /** Examples of values that match the pattern. */
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
}

/** Describes the values that a schema accepts: "an integer from 0 to 65535". */
export function describeExpectedValue(node: ValueSchema): string {
  if (node.anyOf) return node.anyOf.map(describeExpectedValue).join(' or ')
  if (node.const !== undefined) return String(node.const)
  if (node.enum) return `one of ${node.enum.join(', ')}`
  switch (node.type) {
    case 'integer':
      return `an integer${describeRange(node)}`
    case 'number':
      return `a number${describeRange(node)}`
    case 'boolean':
      return 'true or false'
    case 'null':
      return 'null'
    case 'array':
      return `a list in [ ], each item ${node.items ? describeExpectedValue(node.items) : 'any value'}`
    case 'object':
      return 'an object'
    default:
      if (node.format !== undefined) return texts[node.format] ?? `a ${node.format}`
      if (node.examples) return `text such as ${node.examples.map(quoteDigits).join(' or ')}`
      return node.maxLength === undefined ? 'text' : `text of at most ${node.maxLength} characters`
  }
}

/** Quotes a text of digits, which YAML would read as a number. */
const quoteDigits = (value: unknown): string => (/^\d+$/.test(String(value)) ? `"${value}"` : String(value))

/** Describes the bounds of a number. */
function describeRange({ minimum, exclusiveMinimum, maximum }: ValueSchema): string {
  if (exclusiveMinimum !== undefined)
    return ` greater than ${exclusiveMinimum}${maximum === undefined ? '' : ` and at most ${maximum}`}`
  if (maximum !== undefined) return minimum === undefined ? ` of at most ${maximum}` : ` from ${minimum} to ${maximum}`
  return minimum === undefined ? '' : ` of at least ${minimum}`
}

/** Descriptions of text formats. */
const texts: Readonly<Record<string, string>> = {
  'date-time': 'a time such as 2026-11-30T12:00:00Z',
  date: 'a date such as 2026-11-30',
}
