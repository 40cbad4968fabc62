import { parseLongJson } from '../../kit/long-json.ts'
import { describe, type FlatFields, flatten } from './flat-fields.ts'
import type { OpenApiDocument, OpenApiOperation, Schemas } from './openapi.ts'
import { valuesAt, valueText } from './values.ts'

/** A difference between two versions: a field, parameter or endpoint that was added, removed or changed. */
export interface Difference {
  /** The record or the operation. */
  readonly of: string
  /** Path of the field, as in `names[].language`, or the parameter. */
  readonly name: string
  /** Type and values before; undefined if it was added. */
  readonly before: string | undefined
  /** Type and values after; undefined if it was removed. */
  readonly after: string | undefined
  /** Operation of a parameter, or of a result that depends on a query. */
  readonly operation?: string
  /** Values of a parameter, or of a field of such a result, in the examples of the documents. */
  readonly examples?: { readonly before: string | undefined; readonly after: string | undefined }
}

/** Names of the records that responses consist of, with their names in documents. */
const records: Readonly<Record<string, string>> = {
  Location: 'Location',
  CatalogLocation: 'Catalog location',
  Review: 'Review',
  SearchResult: 'Search result',
  NearbyResult: 'Nearby result',
  Recommendation: 'Recommendation',
}

/** Paths of the operations whose results have fields that depend on a query. */
const resultPaths: Readonly<Record<string, string>> = {
  SearchResult: '/locations/search',
  NearbyResult: '/locations/nearby',
  Recommendation: '/recommendations/search',
}

const recordNames = new Set(Object.keys(records))

/**
 * Lists the differences between the documents of two versions: in records, then in endpoints that only one of them has,
 * then in parameters, bodies and responses of the others. A record that one of them lacks is left out.
 */
export function compareDocuments(before: OpenApiDocument, after: OpenApiDocument): readonly Difference[] {
  const [old, now] = [before.components.schemas, after.components.schemas]
  const fields = Object.entries(records)
    .filter(([name]) => old[name] && now[name])
    .flatMap(([name, label]) => {
      const [was, is] = [flatten(old[name]!, old, recordNames), flatten(now[name]!, now, recordNames)]
      const differences = compareMaps(label, was, is)
      const path = resultPaths[name] ?? ''
      return addExamples(differences, [before.paths[path]?.get, after.paths[path]?.get], resultExample)
    })
  const pairs = operationPairs(before, after)
  // The document of a retired version has records, but no endpoints.
  const areServed = [before, after].every(({ paths }) => Object.keys(paths).length > 0)
  return [
    ...fields,
    ...(areServed ? pairs.flatMap(endpointDifference) : []),
    ...pairs.flatMap(({ label, was, is }) => {
      if (!was || !is) return []
      const compare = (of: string, read: (operation: OpenApiOperation, schemas: Schemas) => FlatFields) =>
        compareMaps(of, read(was, old), read(is, now))
      return [
        ...addExamples(compare(label, parametersOf), [was, is], parameterExample),
        ...addExamples(compare(`${label}, body`, bodyOf), [was, is], noExample),
        ...addExamples(compare(`${label}, response`, responseOf), [was, is], responseExample),
      ]
    }),
  ]
}

/** An operation as two documents have it. */
interface OperationPair {
  readonly label: string
  readonly was: OpenApiOperation | undefined
  readonly is: OpenApiOperation | undefined
}

function operationPairs({ paths: before }: OpenApiDocument, { paths: after }: OpenApiDocument): OperationPair[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return paths.flatMap(path =>
    (['get', 'post'] as const).map(method => ({
      label: `${method.toUpperCase()} ${path}`,
      was: before[path]?.[method],
      is: after[path]?.[method],
    })),
  )
}

/** Returns an endpoint that only one of two documents has. */
const endpointDifference = ({ label, was, is }: OperationPair): readonly Difference[] =>
  (was === undefined) === (is === undefined)
    ? []
    : [
        {
          of: 'Endpoint',
          name: label,
          before: was?.summary,
          after: is?.summary,
          ...(is && { operation: is.operationId }),
        },
      ]

/** Returns the value that an operation has in its examples under a name. */
type ReadExample = (operation: OpenApiOperation, name: string) => string | undefined

function addExamples(
  differences: readonly Difference[],
  [before, after]: readonly [OpenApiOperation | undefined, OpenApiOperation | undefined],
  read: ReadExample,
): readonly Difference[] {
  const operation = (after ?? before)?.operationId
  if (operation === undefined) return differences
  return differences.map(one => ({
    ...one,
    operation,
    examples: { before: before && read(before, one.name), after: after && read(after, one.name) },
  }))
}

const noExample: ReadExample = () => undefined

/** Returns the value of a field in the first result of the example response. */
const resultExample: ReadExample = (operation, name) => responseExample(operation, `data[].${name}`)

/** Returns the value of a field in the example response, the first one of a list. */
const responseExample: ReadExample = ({ responses }, name) => {
  const { example } = responses['200']?.content?.['application/json'] ?? {}
  if (example === undefined) return undefined
  return valueText(valuesAt(parseLongJson(JSON.stringify(example)), name.split('.'))[0])
}

/** Returns the example of a parameter as it is sent. */
const parameterExample: ReadExample = ({ parameters }, name) => {
  const found = parameters.find(one => !('$ref' in one) && one.name === name)
  const example = found && !('$ref' in found) ? found.example : undefined
  return example === undefined ? undefined : String(example)
}

function compareMaps(of: string, before: FlatFields, after: FlatFields): readonly Difference[] {
  const names = [...new Set([...before.keys(), ...after.keys()])]
  const changed = names.filter(name => before.get(name) !== after.get(name))
  // A field that was added, removed or became an object is listed without its members, which differ with it.
  const isImplied = (name: string) =>
    before.has(name) !== after.has(name) && changed.some(other => isMember(name, other))
  return changed
    .filter(name => !isImplied(name))
    .map(name => ({ of, name, before: withMembers(name, before), after: withMembers(name, after) }))
}

const isMember = (name: string, of: string): boolean => name.startsWith(`${of}.`) || name.startsWith(`${of}[].`)

/** Returns the description of a field; that of an object names its members. */
function withMembers(name: string, fields: FlatFields): string | undefined {
  const text = fields.get(name)
  if (text !== 'object' && text !== 'list of object') return text
  const members = [...fields.keys()].filter(other => isMember(other, name)).map(other => other.slice(name.length))
  const own = members.map(rest => rest.replace(/^(?:\[\])?\./, '')).filter(rest => !rest.includes('.'))
  return `${text} {${own.join(', ')}}`
}

const parametersOf = ({ parameters }: OpenApiOperation, schemas: Schemas): FlatFields =>
  new Map(
    parameters.flatMap(parameter =>
      '$ref' in parameter
        ? []
        : [
            [
              parameter.name,
              `${describe(parameter.schema, schemas)}${parameter.required ? ', required' : ''}`,
            ] as const,
          ],
    ),
  )

const bodyOf = ({ requestBody }: OpenApiOperation, schemas: Schemas): FlatFields =>
  flatten(requestBody?.content['application/json']?.schema ?? {}, schemas, recordNames)

const responseOf = ({ responses }: OpenApiOperation, schemas: Schemas): FlatFields =>
  flatten(responses['200']?.content?.['application/json']?.schema ?? {}, schemas, recordNames)
