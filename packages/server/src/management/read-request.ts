import type { IncomingMessage } from 'node:http'
import type { FieldError } from '../domain/fault.ts'
import { describeBodyCoding } from '../kit/body-coding.ts'
import { parseBoundedJson } from '../kit/bounded-json.ts'
import { type CheckedSchema, fillDefaults, findSchemaErrors } from '../kit/check-schema.ts'
import { describeExpectedValue } from '../kit/expected-value.ts'
import type { TObject } from '../kit/json-schema.ts'
import { type Problem, problem } from './problem.ts'
import { readBody } from './uploaded-body.ts'

/** A value that was read, or the reason why it could not be. */
export type ReadResult<T> = { readonly value: T } | { readonly problem: Problem }

const maxValueLength = 100
/** Maximum number of errors that a response names: the texts of all could be a hundred times as long as the body. */
const maxErrors = 100
/** Maximum depth of a JSON body. No schema is that deep; functions that recurse over values need a limit. */
const maxDepth = 64

/** Reads query parameters: converts each text to the type of its schema, and rejects unknown and repeated ones. */
export function readQuery(schema: TObject | undefined, query: URLSearchParams): ReadResult<Record<string, unknown>> {
  const nodes = (schema?.properties ?? {}) as Readonly<Record<string, CheckedSchema>>
  const value: Record<string, unknown> = {}
  const errors: FieldError[] = []
  for (const name of new Set(query.keys())) {
    const texts = query.getAll(name)
    const node = Object.hasOwn(nodes, name) ? nodes[name]! : undefined
    if (!node) errors.push({ field: name, message: unknownText('parameter', Object.keys(nodes)) })
    else if (node.type === 'array') value[name] = texts.flatMap(text => text.split(','))
    else if (texts.length > 1) errors.push({ field: name, message: 'Send this parameter once.' })
    else value[name] = convert(texts[0]!, node)
  }
  const filled = schema ? (fillDefaults(schema as CheckedSchema, value) as Record<string, unknown>) : value
  if (schema) errors.push(...findErrors(schema as CheckedSchema, filled, 'parameter'))
  return errors.length > 0 ? { problem: invalid(errors) } : { value: filled }
}

/** Converts a text to a number or boolean if the schema requires one; otherwise the check rejects the text. */
function convert(text: string, { type }: CheckedSchema): unknown {
  if (type === 'integer' || type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

/** Checks the members of a JSON body. */
export function checkBody(schema: TObject, body: unknown): ReadResult<unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { problem: problem('body_invalid', { detail: 'The body must be a JSON object.' }) }
  const filled = fillDefaults(schema as CheckedSchema, body)
  const errors = findErrors(schema as CheckedSchema, filled, 'member')
  return errors.length > 0 ? { problem: invalid(errors) } : { value: filled }
}

const invalid = (fieldErrors: readonly FieldError[]): Problem =>
  problem('parameters_invalid', {
    fieldErrors,
    detail: fieldErrors.map(({ field, message }) => `${field}: ${message}`).join(' '),
  })

const unknownText = (what: string, known: readonly string[]): string =>
  known.length === 0
    ? `This ${what} does not exist; there are no ${what}s here.`
    : `This ${what} does not exist. The ${what}s are ${known.join(', ')}.`

/** Returns one error for each wrong or missing value, up to a maximum. */
function findErrors(schema: CheckedSchema, value: unknown, what: string): FieldError[] {
  const found = new Map<string, FieldError>()
  const add = (field: string, message: string, rejected?: unknown) => {
    if (!found.has(field))
      found.set(field, { field, message, ...(rejected !== undefined && { rejectedValue: formatValue(rejected) }) })
  }
  for (const { kind, path } of findSchemaErrors(schema, value)) {
    if (found.size === maxErrors) break
    const node = findNode(schema, path)
    if (kind === 'missing') add(path.join('.'), 'Required, but missing.')
    else if (node) add(path.join('.'), `Expected ${describeExpectedValue(node)}.`, getValue(value, path))
    else {
      const parent = findNode(schema, path.slice(0, -1))
      add(path.join('.'), unknownText(what, Object.keys(parent?.properties ?? {})))
    }
  }
  return [...found.values()]
}

/** Returns the schema node at a path; undefined for an unknown member. */
const findNode = (schema: CheckedSchema, path: readonly string[]): CheckedSchema | undefined =>
  path.reduce<CheckedSchema | undefined>((node, name) => {
    const candidates = node?.anyOf ?? (node ? [node] : [])
    for (const { properties, patternProperties, items } of candidates) {
      if (properties && Object.hasOwn(properties, name)) return properties[name]
      if (patternProperties) return Object.values(patternProperties)[0]
      if (items) return items
    }
    return undefined
  }, schema)

const getValue = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], value)

function formatValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text
}

/** Reads a JSON body of at most `maxBytes`. An empty body is an empty object. */
export async function readJsonBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<ReadResult<{ bytes: Buffer; json: unknown }>> {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
  const tooLarge = { problem: problem('body_too_large', { detail: `The body may have at most ${maxBytes} bytes.` }) }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return tooLarge
  const parts: Buffer[] = []
  let length = 0
  for await (const part of readBody(request)) {
    length += part.length
    if (length > maxBytes) return tooLarge
    parts.push(part)
  }
  const bytes = Buffer.concat(parts)
  if (length === 0) return { value: { bytes, json: {} } }
  const coding = describeBodyCoding(request.headers['content-encoding'])
  if (coding !== undefined) return { problem: problem('media_type_unsupported', { detail: coding }) }
  if (type !== 'application/json' && type !== 'application/merge-patch+json')
    return { problem: problem('media_type_unsupported', { detail: 'Send the body as application/json.' }) }
  try {
    const json = parseBoundedJson(bytes.toString())
    if (isDeeper(json, maxDepth))
      return { problem: problem('body_invalid', { detail: `The body may be nested at most ${maxDepth} deep.` }) }
    return { value: { bytes, json } }
  } catch {
    return { problem: problem('body_invalid') }
  }
}

/** Returns true if objects and arrays are nested deeper than a maximum. */
const isDeeper = (value: unknown, max: number): boolean =>
  typeof value === 'object' && value !== null && (max === 0 || Object.values(value).some(one => isDeeper(one, max - 1)))
