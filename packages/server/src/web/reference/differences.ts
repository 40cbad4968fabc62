import { parseLongJson } from '../../kit/long-json.ts'
import {
  nameOfRef,
  type OpenApiDocument,
  type OpenApiOperation,
  resolve,
  type Schema,
  type Schemas,
} from './openapi.ts'
import { enumValues, memberSchema, typeText } from './schema-text.ts'
import { valuesAt, valueText } from './values.ts'

/** A difference between two versions: a field or parameter that was added, removed or changed. */
export interface Difference {
  /** The record or the path of the operation. */
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

/** Depth at which records are not compared further. */
const maxDepth = 8

/** Lists the differences between the documents of two versions. A record that one of them lacks is left out. */
export function compareDocuments(before: OpenApiDocument, after: OpenApiDocument): readonly Difference[] {
  const [old, now] = [before.components.schemas, after.components.schemas]
  const fields = Object.entries(records)
    .filter(([name]) => old[name] && now[name])
    .flatMap(([name, label]) => {
      const differences = compareMaps(label, flatten(old[name]!, old), flatten(now[name]!, now))
      const path = resultPaths[name]
      return path === undefined ? differences : addExamples(differences, path, [before, after], resultExample)
    })
  const paths = Object.keys(after.paths).filter(path => before.paths[path])
  const parameters = paths.flatMap(path => {
    const differences = compareMaps(`GET ${path}`, parametersOf(before, path), parametersOf(after, path))
    return addExamples(differences, path, [before, after], parameterExample)
  })
  return [...fields, ...parameters]
}

/** Returns the value that an operation has in its examples under a name. */
type ReadExample = (operation: OpenApiOperation, name: string) => string | undefined

function addExamples(
  differences: readonly Difference[],
  path: string,
  documents: readonly [OpenApiDocument, OpenApiDocument],
  read: ReadExample,
): readonly Difference[] {
  const [before, after] = documents.map(({ paths }) => paths[path]?.get)
  const operation = (after ?? before)?.operationId
  if (operation === undefined) return differences
  return differences.map(one => ({
    ...one,
    operation,
    examples: { before: before && read(before, one.name), after: after && read(after, one.name) },
  }))
}

/** Returns the value of a field in the first result of the example response. */
const resultExample: ReadExample = ({ responses }, name) => {
  const { example } = responses['200']?.content?.['application/json'] ?? {}
  if (example === undefined) return undefined
  return valueText(valuesAt(parseLongJson(JSON.stringify(example)), ['data[]', ...name.split('.')])[0])
}

/** Returns the example of a parameter as it is sent. */
const parameterExample: ReadExample = ({ parameters }, name) => {
  const found = parameters.find(one => !('$ref' in one) && one.name === name)
  const example = found && !('$ref' in found) ? found.example : undefined
  return example === undefined ? undefined : String(example)
}

function compareMaps(
  of: string,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly Difference[] {
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
function withMembers(name: string, fields: ReadonlyMap<string, string>): string | undefined {
  const text = fields.get(name)
  if (text !== 'object' && text !== 'list of object') return text
  const members = [...fields.keys()].filter(other => isMember(other, name)).map(other => other.slice(name.length))
  const own = members.map(rest => rest.replace(/^(?:\[\])?\./, '')).filter(rest => !rest.includes('.'))
  return `${text} {${own.join(', ')}}`
}

/** Returns type and values of each field of a record, by its path. */
function flatten(schema: Schema, schemas: Schemas): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  const visit = (node: Schema, prefix: string, depth: number): void => {
    const members = memberSchema(present(node, schemas), schemas)
    for (const [name, child] of Object.entries(members?.properties ?? {})) {
      const path = `${prefix}${name}`
      fields.set(path, describe(child, schemas))
      const record = nameOfRef(child)
      if (depth < maxDepth && (record === undefined || !(record in records)))
        visit(child, `${path}${present(child, schemas).type === 'array' ? '[].' : '.'}`, depth + 1)
    }
  }
  visit(schema, '', 0)
  return fields
}

/**
 * Returns the schema of a value that is present: without null and the empty object, with which version 0 says that it
 * is absent.
 */
function present(schema: Schema, schemas: Schemas): Schema {
  const found = resolve(schema, schemas)
  const values = found.anyOf?.map(one => resolve(one, schemas)).filter(one => one.type !== 'null' && !isEmpty(one))
  return values?.length === 1 ? values[0]! : found
}

const isEmpty = ({ type, properties }: Schema): boolean =>
  type === 'object' && Object.keys(properties ?? {}).length === 0

/** Returns a type without the names of objects, which versions may choose freely, and the values of an enumeration. */
function describe(schema: Schema, schemas: Schemas): string {
  const found = present(schema, schemas)
  if (found.properties) return 'object'
  if (found.type === 'array') return `list of ${describe(found.items ?? {}, schemas)}`
  const values = enumValues(found, schemas)
  const text = typeText(found, schemas)
  return values.length === 0 ? text : `${text}: ${values.length <= 12 ? values.join(', ') : `${values.length} values`}`
}

const parametersOf = ({ paths, components: { schemas } }: OpenApiDocument, path: string): ReadonlyMap<string, string> =>
  new Map(
    paths[path]!.get.parameters.flatMap(parameter =>
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
