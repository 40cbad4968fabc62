import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** A part of a JSON document. */
type Node = Readonly<Record<string, unknown>>
type Place = readonly [path: readonly string[], node: Node]

/**
 * Returns the errors of an OpenAPI 3.1 document that its JSON Schema cannot express, one line each: the rules of
 * openapi-spec-validator, and examples.
 */
export function findDocumentErrors(document: Node): string[] {
  const places = [...walk(document)]
  const operations = places.filter(([path, { operationId }]) => path[0] === 'paths' && typeof operationId === 'string')
  const unresolved = findUnresolved(document, places)
  return [
    ...unresolved,
    ...findRepeated(operations.map(([, { operationId }]) => String(operationId))).map(
      id => `operationId ${id} is not unique`,
    ),
    ...operations.flatMap(place => findParameterErrors(document, place)),
    ...findUnknownRequired(places),
    // Schemas that refer to nothing cannot validate a value.
    ...(unresolved.length > 0 ? [] : findInvalidValues(document, places)),
    ...findUnknownSecurity(document, operations),
  ]
}

/**
 * Yields every object below `node` with its path. Values of examples, defaults and enumerations are not part of the
 * document.
 */
function* walk(node: unknown, path: readonly string[] = []): Generator<Place> {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) yield [path, node as Node]
  for (const [name, child] of Object.entries(node)) if (!isValue(name, path.at(-1))) yield* walk(child, [...path, name])
}

/** Returns true if a member holds a value; `properties` may contain members with the same names. */
const isValue = (name: string, parent: string | undefined) =>
  parent !== 'properties' && ['default', 'enum', 'example', 'examples', 'const'].includes(name)

const at = (path: readonly string[]) => `/${path.join('/')}`

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

const resolve = (document: Node, ref: string): unknown =>
  ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((node, name) => (isNode(node) ? node[name] : undefined), document)

const findUnresolved = (document: Node, places: readonly Place[]): string[] =>
  places
    .filter(([, { $ref }]) => typeof $ref === 'string' && resolve(document, $ref) === undefined)
    .map(([path, { $ref }]) => `${at(path)}: ${String($ref)} does not exist`)

const findRepeated = (names: readonly string[]): string[] => [
  ...new Set(names.filter((name, i) => names.indexOf(name) !== i)),
]

/**
 * Returns an error for each path parameter that is not in the path or not declared, and for each repeated parameter.
 */
function findParameterErrors(document: Node, [path, { parameters = [] }]: Place): string[] {
  const list = (parameters as Node[]).map(one =>
    typeof one.$ref === 'string' ? resolve(document, one.$ref) : one,
  ) as Node[]
  const inPath = [...path[1]!.matchAll(/\{([^}]+)\}/g)].map(match => match[1]!)
  const declared = list.filter(one => one?.in === 'path').map(one => String(one.name))
  return [
    ...inPath
      .filter(name => !declared.includes(name))
      .map(name => `${at(path)}: path parameter ${name} is not declared`),
    ...declared.filter(name => !inPath.includes(name)).map(name => `${at(path)}: the path has no parameter ${name}`),
    ...findRepeated(list.map(one => `${one?.in} parameter ${one?.name}`)).map(
      name => `${at(path)}: ${name} is repeated`,
    ),
  ]
}

const findUnknownRequired = (places: readonly Place[]): string[] =>
  places.flatMap(([path, { required, properties }]) =>
    Array.isArray(required) && isNode(properties)
      ? required.filter(name => !(name in properties)).map(name => `${at(path)}: required member ${name} has no schema`)
      : [],
  )

/**
 * Returns an error for each default, and each example of a parameter, header or body, that its schema does not accept.
 */
function findInvalidValues(document: Node, places: readonly Place[]): string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(document, 'document')
  const check = (path: readonly string[], what: string, value: unknown) => {
    const validate = ajv.getSchema(`document#${path.map(toPointer).join('')}`)!
    return validate(value) ? [] : [`${at(path)}: the ${what} ${JSON.stringify(value)} is not valid`]
  }
  return places.flatMap(([path, node]) => {
    const isSchema = path.includes('schema') || path[1] === 'schemas'
    const defaults =
      'default' in node && isSchema && path.at(-1) !== 'properties' ? check(path, 'default', node.default) : []
    const examples = isNode(node.schema) && !isSchema ? listExamples(node) : []
    return [...defaults, ...examples.flatMap(value => check([...path, 'schema'], 'example', value))]
  })
}

const listExamples = ({ example, examples }: Node): unknown[] => [
  ...(example === undefined ? [] : [example]),
  ...Object.values((examples ?? {}) as Record<string, { value: unknown }>).map(({ value }) => value),
]

const toPointer = (name: string) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`

function findUnknownSecurity(document: Node, operations: readonly Place[]): string[] {
  const known = Object.keys((document.components as { securitySchemes?: object } | undefined)?.securitySchemes ?? {})
  const used = [document, ...operations.map(([, node]) => node)].flatMap(({ security = [] }) =>
    (security as object[]).flatMap(one => Object.keys(one)),
  )
  return [...new Set(used)].filter(name => !known.includes(name)).map(name => `security scheme ${name} does not exist`)
}
