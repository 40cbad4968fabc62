import { nameOfRef, resolve, type Schema, type Schemas } from './openapi.ts'
import { enumValues, memberSchema, typeText } from './schema-text.ts'

/** Depth at which records are not compared further. */
const maxDepth = 8

/** Types and values of fields by their paths, as in `names[].language`. */
export type FlatFields = ReadonlyMap<string, string>

/** Returns type and values of each field of an object, by its path; those of `records` in it are left out. */
export function flatten(schema: Schema, schemas: Schemas, records: ReadonlySet<string>): FlatFields {
  const fields = new Map<string, string>()
  const visit = (node: Schema, prefix: string, depth: number): void => {
    const members = memberSchema(present(node, schemas), schemas)
    for (const [name, child] of Object.entries(members?.properties ?? {})) {
      const path = `${prefix}${name}`
      fields.set(path, describe(child, schemas))
      const record = nameOfRef(child) ?? nameOfRef(child.items ?? {})
      if (depth < maxDepth && (record === undefined || !records.has(record)))
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
export function describe(schema: Schema, schemas: Schemas): string {
  const found = present(schema, schemas)
  if (found.properties) return 'object'
  if (found.type === 'array') return `list of ${describe(found.items ?? {}, schemas)}`
  const values = enumValues(found, schemas)
  const text = typeText(found, schemas)
  return values.length === 0 ? text : `${text}: ${values.length <= 12 ? values.join(', ') : `${values.length} values`}`
}
