import { findSchemaErrors } from '../kit/check-schema.ts'
import { findNearest } from '../kit/nearest-name.ts'
import { describeExpected, findSetting, listSettingPaths, settings } from './setting.ts'
import { redactPassword } from './store-errors.ts'

/** Validates settings with their defaults filled in; returns path and message of every error. */
export function validate(tree: unknown): { readonly path: string; readonly text: string }[] {
  const found = new Map<string, string>()
  for (const error of findSchemaErrors(settings, tree)) {
    const path = error.path.join('.')
    if (error.kind === 'missing') found.set(path, 'required, but missing')
    else if (!found.has(path)) found.set(path, formatError(path, getValue(tree, path)))
  }
  return [...found].map(([path, text]) => ({ path, text }))
}

function formatError(path: string, value: unknown): string {
  const node = findSetting(path)
  return node === undefined
    ? describeUnknownSetting(path)
    : `expected ${describeExpected(node)}, found ${formatValue(value)}`
}

/** Suggests a setting with a similar name in the same section, or one with the same name in another section. */
function describeUnknownSetting(path: string): string {
  const at = path.lastIndexOf('.')
  const name = path.slice(at + 1)
  const section = path.slice(0, Math.max(0, at))
  const sibling = findNearest(name, Object.keys(findSetting(section)?.properties ?? {}))
  const suggestion =
    sibling === undefined
      ? listSettingPaths().find(known => known.endsWith(`.${name}`))
      : section === ''
        ? sibling
        : `${section}.${sibling}`
  return suggestion === undefined
    ? 'unknown setting; run `periplus config print` to see all settings'
    : `unknown setting; did you mean ${suggestion}?`
}

const maxValueLength = 60

function formatValue(value: unknown): string {
  if (value === null) return 'no value'
  const text = JSON.stringify(typeof value === 'string' ? redactPassword(value) : value) ?? String(value)
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text
}

const getValue = (tree: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], tree)
