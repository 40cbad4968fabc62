import { configSchema } from './schema.ts'

/** One node of the schema, as far as this project uses JSON Schema for its settings. */
export interface Setting {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean'
  readonly properties?: Readonly<Record<string, Setting>>
  readonly patternProperties?: Readonly<Record<string, Setting>>
  readonly required?: readonly string[]
  readonly items?: Setting
  readonly anyOf?: readonly Setting[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  /** Of what a pattern takes. */
  readonly examples?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly default?: unknown
  readonly description?: string
}

/** All settings: the schema, seen as what it is made of. */
export const settings = configSchema as object as Setting

/** The node that a value at `path` is held against; undefined where no setting has that name. */
export function settingAt(path: string): Setting | undefined {
  if (path === '') return settings
  return path.split('.').reduce<Setting | undefined>((node, name) => {
    if (node?.properties) return Object.hasOwn(node.properties, name) ? node.properties[name] : undefined
    return node?.patternProperties ? Object.values(node.patternProperties)[0] : node?.items
  }, settings)
}

/** The dotted paths of all settings, in the order of the schema. */
export function settingPaths(node = settings, prefix = ''): string[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) =>
    child.properties ? settingPaths(child, `${prefix}${name}.`) : [`${prefix}${name}`],
  )
}

/** What a setting takes, in words: "a whole number from 0 to 65535". */
export function expected(node: Setting): string {
  if (node.anyOf) return node.anyOf.map(expected).join(' or ')
  if (node.const !== undefined) return String(node.const)
  if (node.enum) return `one of ${node.enum.join(', ')}`
  switch (node.type) {
    case 'integer':
      return `a whole number${range(node)}`
    case 'number':
      return `a number${range(node)}`
    case 'boolean':
      return 'true or false'
    case 'array':
      return `a list in [ ], each ${node.items ? expected(node.items) : 'anything'}`
    case 'object':
      return 'a group of settings'
    default:
      return node.examples ? `text such as ${node.examples.join(' or ')}` : 'text'
  }
}

function range({ minimum, exclusiveMinimum, maximum }: Setting): string {
  if (exclusiveMinimum !== undefined)
    return ` above ${exclusiveMinimum}${maximum === undefined ? '' : `, at most ${maximum}`}`
  const from = minimum === undefined ? '' : ` from ${minimum}`
  return maximum === undefined ? from : `${from} to ${maximum}`
}
