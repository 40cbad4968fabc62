import { configSchema } from './schema.ts'

/** A node of the settings schema: the subset of JSON Schema that the settings use. */
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
  /** Examples of values that match the pattern. */
  readonly examples?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly default?: unknown
  readonly description?: string
}

/** The settings schema as a tree of nodes. */
export const settings = configSchema as object as Setting

/** Returns the schema node of a dotted path; undefined for an unknown setting. */
export function findSetting(path: string): Setting | undefined {
  if (path === '') return settings
  return path.split('.').reduce<Setting | undefined>((node, name) => {
    if (node?.properties) return Object.hasOwn(node.properties, name) ? node.properties[name] : undefined
    return node?.patternProperties ? Object.values(node.patternProperties)[0] : node?.items
  }, settings)
}

/** Returns the dotted paths of all settings, in the order of the schema. */
export function listSettingPaths(node = settings, prefix = ''): string[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) =>
    child.properties ? listSettingPaths(child, `${prefix}${name}.`) : [`${prefix}${name}`],
  )
}

/** Describes the values that a setting accepts: "an integer from 0 to 65535". */
export function describeExpected(node: Setting): string {
  if (node.anyOf) return node.anyOf.map(describeExpected).join(' or ')
  if (node.const !== undefined) return String(node.const)
  if (node.enum) return `one of ${node.enum.join(', ')}`
  switch (node.type) {
    case 'integer':
      return `an integer${describeRange(node)}`
    case 'number':
      return `a number${describeRange(node)}`
    case 'boolean':
      return 'true or false'
    case 'array':
      return `a list in [ ], each item ${node.items ? describeExpected(node.items) : 'any value'}`
    case 'object':
      return 'a group of settings'
    default:
      return node.examples ? `text such as ${node.examples.map(quoteDigits).join(' or ')}` : 'text'
  }
}

/** Quotes a text of digits, which YAML would read as a number. */
const quoteDigits = (text: string): string => (/^\d+$/.test(text) ? `"${text}"` : text)

/** Describes the bounds of a number. */
function describeRange({ minimum, exclusiveMinimum, maximum }: Setting): string {
  if (exclusiveMinimum !== undefined)
    return ` greater than ${exclusiveMinimum}${maximum === undefined ? '' : ` and at most ${maximum}`}`
  if (maximum !== undefined) return minimum === undefined ? ` of at most ${maximum}` : ` from ${minimum} to ${maximum}`
  return minimum === undefined ? '' : ` of at least ${minimum}`
}
