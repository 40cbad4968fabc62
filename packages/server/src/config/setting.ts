import type { CheckedSchema } from '../kit/check-schema.ts'
import { describeExpectedValue } from '../kit/expected-value.ts'
import { configSchema } from './schema.ts'

/** A node of the settings schema. */
export interface Setting extends CheckedSchema {
  readonly properties?: Readonly<Record<string, Setting>>
  readonly patternProperties?: Readonly<Record<string, Setting>>
  readonly items?: Setting
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

/** Describes the values that a setting accepts. */
export const describeExpected = (node: Setting): string =>
  node.type === 'object' ? 'a group of settings' : describeExpectedValue(node)
