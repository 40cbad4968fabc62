import type { Fault, FieldError } from '../../domain/fault.ts'
import type { Operation } from '../../domain/operation.ts'
import type { TSchema } from '../../kit/json-schema.ts'
import { findNearest } from '../../kit/nearest-name.ts'
import type { Projection } from '../../kit/project-json.ts'
import type { Version } from '../version.ts'
import { getValues, InvalidParameter, type RawQuery } from './param.ts'
import { invalidParameters } from './requests/read-args.ts'
import type { VersionSchemas } from './schema.ts'

/** The members that a client wants of the records of a response (R-163). */
export interface FieldMask {
  /** Key of the mask in caches; the order of the members does not matter. */
  readonly key: string
  readonly projection: Projection
}

/** Members that always stay, so that each record of a response can be identified. */
const identifying = ['id', 'type']

/**
 * Reads the parameter `fields` of a request, and checks its paths against the schema of the response. Undefined without
 * the parameter, and if its form is wrong, which the operation reports together with its other parameters.
 */
export function readFieldMask(
  query: RawQuery,
  { params, schemas }: Pick<Version, 'params' | 'schemas'>,
  operation: Operation,
): FieldMask | undefined | Fault {
  if (query.fields === undefined) return undefined
  const read = params[operation]?.fields?.read(getValues(query, 'fields'))
  const response = schemas?.responses[operation]
  if (read === undefined || read instanceof InvalidParameter || !schemas || !response) return undefined
  const paths = (read as readonly string[]).toSorted()
  const record = new ResponseSchema(response, schemas.components)
  const errors = paths.flatMap(path => record.findError(path) ?? [])
  return errors.length > 0 ? invalidParameters(errors) : { key: paths.join(), projection: record.toProjection(paths) }
}

/** The parts of a JSON schema that masks look at. */
type Schema = TSchema & {
  readonly $ref?: string
  readonly items?: Schema
  readonly properties?: Members
}

type Members = Readonly<Record<string, Schema>>

/** The schema of a response whose `data` is a record, or a list of records or of results that have a `location`. */
class ResponseSchema {
  readonly #components: VersionSchemas['components']
  readonly #data: Members
  readonly #record: Members

  constructor(response: TSchema, components: VersionSchemas['components']) {
    this.#components = components
    this.#data = this.#membersOf(this.#membersOf(response)!.data)!
    this.#record = this.#membersOf(this.#data.location) ?? this.#data
  }

  /** Returns the error of a path that records do not have. */
  findError(path: string): FieldError | undefined {
    let members: Members | undefined = this.#record
    let parent = ''
    for (const name of path.split('.')) {
      if (members === undefined || !Object.hasOwn(members, name)) {
        const message = `fields contains ${path}, which no result has. ${suggest(name, parent, Object.keys(members ?? {}))}`
        return { field: 'fields', message, rejectedValue: path }
      }
      members = this.#membersOf(members[name])
      parent = `${parent}${name}.`
    }
    return undefined
  }

  /** Returns the projection of a response to checked paths of its records. */
  toProjection(paths: readonly string[]): Projection {
    const record = new Map<string, Projection | true>()
    for (const path of [...identifying.filter(name => Object.hasOwn(this.#record, name)), ...paths])
      addPath(record, path.split('.'))
    const ofRecord: Projection = { members: record }
    const isResult = this.#record !== this.#data
    const ofItem = isResult ? { members: new Map([['location', ofRecord]]), keepsOthers: true } : ofRecord
    return { members: new Map([['data', ofItem]]), keepsOthers: true }
  }

  /** Returns the members of an object, or of the items of a list; undefined for other values. */
  #membersOf(schema: TSchema | undefined): Members | undefined {
    let known = schema as Schema | undefined
    while (known?.$ref !== undefined || known?.items !== undefined)
      known = known.items ?? (this.#components[known.$ref!.split('/').at(-1)!] as Schema)
    return known?.properties
  }
}

function addPath(members: Map<string, Projection | true>, [name, ...rest]: readonly string[]): void {
  const known = members.get(name!)
  if (known === true) return
  if (rest.length === 0) {
    members.set(name!, true)
    return
  }
  const below = new Map(known?.members)
  addPath(below, rest)
  members.set(name!, { members: below })
}

function suggest(name: string, parent: string, names: readonly string[]): string {
  if (names.length === 0) return `${parent.slice(0, -1)} has no members.`
  const nearest = findNearest(name, names)
  return nearest === undefined
    ? `${parent === '' ? 'Its members' : `The members of ${parent.slice(0, -1)}`} are ${names.join(', ')}.`
    : `Did you mean ${parent}${nearest}?`
}
