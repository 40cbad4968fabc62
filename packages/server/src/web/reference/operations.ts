import type { Header, OpenApiDocument, OpenApiOperation, Parameter, Schema, Schemas } from './openapi.ts'

/** The charge and the limits of an operation, as sentences. */
export interface OperationTerms {
  /** Permission that a key needs; undefined if every key may send the request. */
  readonly permission?: string
  /** Short cost for lists: `1 unit`, `1 unit per place`, `free`. */
  readonly cost: string
  /** Sentence about the limits that count the call. */
  readonly limits: string
}

/** An operation of the API as its pages show it. */
export interface ReferenceOperation {
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly deprecated: boolean
  readonly method: 'GET' | 'POST'
  /** With parameters in braces: `/locations/{id}`. */
  readonly path: string
  /** Parameters of the operation alone. */
  readonly parameters: readonly Parameter[]
  /** The parameter `version`, if the operation has it. */
  readonly version: Parameter | undefined
  /** Schema and example of the JSON body that the request has; undefined for GET. */
  readonly body: { readonly schema: Schema; readonly example: unknown } | undefined
  /** Schema of the JSON response; undefined for files. */
  readonly response: Schema | undefined
  readonly example: unknown
  readonly schemas: Schemas
  readonly terms: OperationTerms
}

/** Operations with a common subject. */
export interface OperationGroup {
  readonly label: string
  readonly description: string
  readonly operations: readonly ReferenceOperation[]
}

/** A version of the API that has pages. */
export interface VersionChoice {
  /** As in the parameter `version`: `1`, `beta`. */
  readonly name: string
  /** With its state: `2 (preview)`. */
  readonly label: string
  /** Part of the pages' paths after `/docs`: empty for the latest stable version, else as in `/v2`. */
  readonly folder: string
  /** Name of its document: `v1`, `beta`. */
  readonly document: string
}

/** The operations of one version, and what their responses have in common. */
export interface ApiReference extends VersionChoice {
  /** All versions, the latest stable one first. */
  readonly versions: readonly VersionChoice[]
  readonly groups: readonly OperationGroup[]
  /** Response headers by name. */
  readonly headers: Readonly<Record<string, Header>>
}

/** Returns the operations of documents by subject, in the order of the documents. */
export function readOperations(
  documents: readonly OpenApiDocument[],
  terms: (operation: string) => OperationTerms,
): readonly OperationGroup[] {
  return documents.flatMap(document => {
    const operations = Object.entries(document.paths).flatMap(([path, { get, post }]) => [
      readOperation(document, { method: 'GET', path, found: get }, terms),
      ...(post ? [readOperation(document, { method: 'POST', path, found: post }, terms)] : []),
    ])
    return document.tags.map(({ name, description }) => ({
      label: name,
      description,
      operations: operations.filter(({ tag }) => tag === name),
    }))
  })
}

function readOperation(
  document: OpenApiDocument,
  { method, path, found }: Pick<ReferenceOperation, 'method' | 'path'> & { readonly found: OpenApiOperation },
  terms: (operation: string) => OperationTerms,
): ReferenceOperation {
  const { operationId, tags, summary, description, deprecated = false, parameters, requestBody, responses } = found
  const common = document.components.parameters
  const sent = requestBody?.content['application/json']
  const body = responses['200']?.content?.['application/json']
  return {
    id: operationId,
    tag: tags[0]!,
    summary,
    description,
    deprecated,
    method,
    path,
    parameters: parameters.filter((parameter): parameter is Parameter => !('$ref' in parameter)),
    version: parameters.some(parameter => '$ref' in parameter && parameter.$ref.endsWith('/version'))
      ? common.version
      : undefined,
    body: sent?.schema && { schema: sent.schema, example: sent.example },
    response: body?.schema,
    example: body?.example,
    schemas: document.components.schemas,
    terms: terms(operationId),
  }
}

/** Number of places that an example for several ones names. */
const severalIds = 3

/** Replaces the ids of places in the examples of parameters, so that samples and forms call places that exist. */
export const withPlaceIds = (groups: readonly OperationGroup[], ids: readonly string[]): readonly OperationGroup[] =>
  ids.length === 0
    ? groups
    : groups.map(group => ({
        ...group,
        operations: group.operations.map(operation => ({
          ...operation,
          parameters: operation.parameters.map(parameter => withPlaceId(parameter, operation, ids)),
        })),
      }))

function withPlaceId(parameter: Parameter, { path }: ReferenceOperation, ids: readonly string[]): Parameter {
  if (parameter.name === 'ids') return { ...parameter, example: ids.slice(0, severalIds) }
  return parameter.name === 'id' && path.includes('/locations/{id}') ? { ...parameter, example: ids[0] } : parameter
}

/** Returns the values of parameters with which samples call an operation: required ones, and others with an example. */
export const exampleValues = ({ parameters, version }: ReferenceOperation): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ...parameters.filter(({ example }) => example !== undefined).map(({ name, example }) => [name, toText(example)]),
    ...(version?.required ? [['version', toText(version.example)]] : []),
  ])

const toText = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value))

/** Returns path, query and example body of a call with values of parameters. */
export function toCall(
  { path, parameters, body }: ReferenceOperation,
  values: Readonly<Record<string, string>>,
): { readonly path: string; readonly query: Readonly<Record<string, string>>; readonly body?: unknown } {
  const inPath = new Set(parameters.filter(one => one.in === 'path').map(({ name }) => name))
  return {
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? name)),
    query: Object.fromEntries(Object.entries(values).filter(([name]) => !inPath.has(name))),
    ...(body && { body: body.example }),
  }
}
