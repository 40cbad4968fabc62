/** A part of a JSON document. */
type Node = Readonly<Record<string, unknown>>

/** Members that only document and may change freely. */
const annotations = new Set([
  'description',
  'summary',
  'example',
  'examples',
  'title',
  'info',
  'servers',
  'tags',
  'deprecated',
])

/** Direction in which a bound of a request may move: a minimum down, a maximum up. */
const bounds: Readonly<Record<string, 1 | -1>> = {
  minimum: -1,
  exclusiveMinimum: -1,
  minLength: -1,
  minItems: -1,
  minProperties: -1,
  maximum: 1,
  exclusiveMaximum: 1,
  maxLength: 1,
  maxItems: 1,
  maxProperties: 1,
}

/**
 * Returns the changes that R-17 forbids within a major version, one line each. `next` may only change documentation,
 * accept more requests, and add endpoints or optional parameters. No library does this: all let responses grow.
 */
export function breakingChanges(released: Node, next: Node): string[] {
  return [...pathBreaks(released, next)]
}

function* pathBreaks(released: Node, next: Node): Generator<string> {
  const compare = { was: (node: unknown) => resolved(node, released), is: (node: unknown) => resolved(node, next) }
  const paths = released.paths as Node
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, was] of Object.entries(item as Node)) {
      const is = ((next.paths as Node)[path] as Node | undefined)?.[method]
      const at = `${method.toUpperCase()} ${path}`
      if (is === undefined) yield `${at}: endpoint removed`
      else yield* operationBreaks(at, was as Node, is as Node, compare)
    }
  }
  yield* differences('security schemes', securityOf(released), securityOf(next))
  yield* differences('security', released.security, next.security)
}

const securityOf = (document: Node) => (document.components as Node | undefined)?.securitySchemes

interface Compare {
  readonly was: (node: unknown) => unknown
  readonly is: (node: unknown) => unknown
}

function* operationBreaks(at: string, was: Node, is: Node, compare: Compare): Generator<string> {
  const had = parametersOf(compare.was(was.parameters))
  const after = parametersOf(compare.is(is.parameters))
  for (const [name, parameter] of had) {
    const now = after.get(name)
    if (now === undefined) yield `${at}: parameter ${name} removed or renamed`
    else yield* parameterBreaks(`${at}: parameter ${name}`, parameter, now)
  }
  for (const [name, parameter] of after)
    if (!had.has(name) && parameter.required === true) yield `${at}: parameter ${name} added, and required`
  const { parameters: _, responses: wasAnswers, ...wasRest } = was
  const { parameters: _p, responses: isAnswers, ...isRest } = is
  yield* differences(at, wasRest, isRest)
  const statuses = compare.is(isAnswers) as Node
  // A new error response is not a breaking change; a new success response is.
  const known = Object.fromEntries(
    Object.entries(statuses).filter(([status]) => status in (wasAnswers as Node) || Number(status) < 400),
  )
  const before = compare.was(wasAnswers) as Node
  yield* differences(`${at}: answer`, before, withoutNewHeaders(known, before))
}

/** Returns answers without the headers that the answers before them lack: a new header is not a breaking change. */
const withoutNewHeaders = (answers: Node, before: Node): Node =>
  Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => {
      const { headers, ...rest } = answer as Node
      const known = (before[status] as Node | undefined)?.headers
      if (!isNode(headers) || !isNode(known)) return [status, answer]
      return [
        status,
        { ...rest, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name in known)) },
      ]
    }),
  )

const parametersOf = (list: unknown) =>
  new Map(((list ?? []) as Node[]).map(parameter => [`${parameter.in}.${parameter.name}`, parameter]))

function* parameterBreaks(at: string, was: Node, is: Node): Generator<string> {
  if (was.required !== true && is.required === true) yield `${at}: made required`
  const { schema: wasSchema, required: _, 'x-aliases': wasAliases = [], ...wasRest } = was
  const { schema: isSchema, required: _r, 'x-aliases': isAliases = [], ...isRest } = is
  for (const alias of wasAliases as string[])
    if (!(isAliases as string[]).includes(alias)) yield `${at}: alias ${alias} removed`
  yield* differences(at, wasRest, isRest)
  yield* requestBreaks(at, wasSchema as Node, isSchema as Node)
}

/** Compares schemas of request parameters: bounds may widen but not tighten; enums must not change. */
function* requestBreaks(at: string, was: Node, is: Node): Generator<string> {
  for (const name of new Set([...Object.keys(was), ...Object.keys(is)])) {
    const wider = bounds[name]
    if (annotations.has(name)) continue
    if (wider !== undefined) {
      const [bound, now] = [was[name], is[name]] as (number | undefined)[]
      if (now !== undefined && (bound === undefined || (now - bound) * wider < 0)) yield `${at}: ${name} tightened`
    } else if (name === 'items') yield* requestBreaks(`${at}.items`, was.items as Node, is.items as Node)
    else yield* differences(`${at}.${name}`, was[name], is[name])
  }
}

/** Returns all differences except in documentation; the order of lists of plain values is irrelevant. */
function* differences(at: string, was: unknown, is: unknown): Generator<string> {
  if (Array.isArray(was) && Array.isArray(is) && [...was, ...is].every(value => typeof value !== 'object')) {
    for (const value of was) if (!is.includes(value)) yield `${at}: ${String(value)} removed`
    for (const value of is) if (!was.includes(value)) yield `${at}: ${String(value)} added`
  } else if (isNode(was) && isNode(is)) {
    for (const name of new Set([...Object.keys(was), ...Object.keys(is)])) {
      // Within `properties`, `description` is the name of a field, not documentation.
      if (annotations.has(name) && !at.endsWith('.properties')) continue
      if (!(name in is)) yield `${at}.${name}: removed`
      else if (!(name in was)) yield `${at}.${name}: added`
      else yield* differences(`${at}.${name}`, was[name], is[name])
    }
  } else if (JSON.stringify(was) !== JSON.stringify(is))
    yield `${at}: ${JSON.stringify(was)} became ${JSON.stringify(is)}`
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Replaces every reference by its target, so that moving a schema is not a difference. */
function resolved(node: unknown, document: Node): unknown {
  if (Array.isArray(node)) return node.map(child => resolved(child, document))
  if (!isNode(node)) return node
  const { $ref, ...rest } = node
  const members = Object.fromEntries(Object.entries(rest).map(([name, child]) => [name, resolved(child, document)]))
  if (typeof $ref !== 'string') return members
  const target = $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, name) => (at as Node)[name], document)
  return { ...(resolved(target, document) as Node), ...members }
}
