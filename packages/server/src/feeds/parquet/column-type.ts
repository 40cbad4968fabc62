import type { TSchema } from '../../kit/json-schema.ts'

/** Type of a column, or of a part of one (R-166). */
export type ColumnType =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'list'; readonly of: ColumnType }
  | { readonly kind: 'struct'; readonly members: readonly (readonly [name: string, type: ColumnType])[] }

/** `json` is a text with JSON, for values that tables do not need in parts. */
export type ScalarKind = 'string' | 'json' | 'int64' | 'double' | 'boolean' | 'date' | 'timestamp' | 'wkb'

type Components = Readonly<Record<string, TSchema>>

/** The members of a JSON schema that decide the type of a column. */
interface SchemaNode {
  readonly $ref?: string
  readonly anyOf?: readonly SchemaNode[]
  readonly type?: string
  readonly format?: string
  readonly items?: SchemaNode
  readonly properties?: Readonly<Record<string, SchemaNode>>
}

/** Derives the type of a column from the JSON schema of a member; absent forms (null, `{}`) are null. */
export function deriveType(schema: object, components: Components): ColumnType {
  const node = schema as SchemaNode
  if (node.$ref !== undefined) return deriveType(components[node.$ref.split('/').at(-1)!]!, components)
  if (node.anyOf) {
    const present = node.anyOf.filter(one => !isAbsent(one))
    return present.length === 1 ? deriveType(present[0]!, components) : { kind: 'json' }
  }
  if (node.type === 'array') return { kind: 'list', of: deriveType(node.items!, components) }
  if (node.type === 'object' && node.properties) {
    const members = Object.entries(node.properties)
    return { kind: 'struct', members: members.map(([name, member]) => [name, deriveType(member, components)]) }
  }
  return { kind: scalarKind(node) }
}

/** Returns true for the schema of null and of `{}`, which version 0 has in the place of missing values. */
const isAbsent = ({ type, properties = {} }: SchemaNode): boolean =>
  type === 'null' || (type === 'object' && Object.keys(properties).length === 0)

function scalarKind({ type, format }: SchemaNode): ScalarKind {
  if (type === 'integer') return 'int64'
  if (type === 'number') return 'double'
  if (type === 'boolean') return 'boolean'
  if (type !== 'string') return 'json'
  return format === 'date-time' ? 'timestamp' : format === 'date' ? 'date' : 'string'
}

const sqlNames: Readonly<Record<ScalarKind, string>> = {
  string: 'VARCHAR',
  json: 'VARCHAR (JSON)',
  int64: 'BIGINT',
  double: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  timestamp: 'TIMESTAMP WITH TIME ZONE',
  wkb: 'BLOB (WKB)',
}

/** Writes a type in the words of SQL. */
export function describeType(type: ColumnType): string {
  if (type.kind === 'list') return `${describeType(type.of)}[]`
  if (type.kind !== 'struct') return sqlNames[type.kind]
  return `STRUCT(${type.members.map(([name, member]) => `${name} ${describeType(member)}`).join(', ')})`
}
