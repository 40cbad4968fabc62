import { Settings } from 'typebox/system'
import Value from 'typebox/value'
import { configSchema } from './schema.ts'
import { expected, settingAt, settingPaths } from './setting.ts'
import { nearest } from './suggest.ts'

/** Every mistake is told, not only the first few. */
Settings.Set({ maxErrors: 10_000 })

/** What is wrong with a tree of settings whose defaults are filled in: path and sentence of each mistake. */
export function validate(tree: unknown): { readonly path: string; readonly text: string }[] {
  const found = new Map<string, string>()
  for (const { keyword, instancePath, params } of Value.Errors(configSchema, tree)) {
    const path = instancePath.slice(1).replaceAll('/', '.')
    // An unknown setting is reported twice, at itself and at its section: the first is enough.
    if (keyword === 'additionalProperties' || found.has(path)) continue
    if (keyword === 'required') {
      for (const name of (params as { requiredProperties: string[] }).requiredProperties)
        found.set(`${path}.${name}`, 'it is missing here')
    } else found.set(path, complaint(path, valueAt(tree, path)))
  }
  return [...found].map(([path, text]) => ({ path, text }))
}

function complaint(path: string, value: unknown): string {
  const node = settingAt(path)
  return node === undefined ? unknown(path) : `${shown(value)} is not ${expected(node)}`
}

/** Says what was likely meant: a setting beside it, or one of that name elsewhere. */
function unknown(path: string): string {
  const at = path.lastIndexOf('.')
  const name = path.slice(at + 1)
  const section = path.slice(0, Math.max(0, at))
  const beside = nearest(name, Object.keys(settingAt(section)?.properties ?? {}))
  const meant =
    beside === undefined
      ? settingPaths().find(known => known.endsWith(`.${name}`))
      : section === ''
        ? beside
        : `${section}.${beside}`
  const advice = meant === undefined ? 'see `periplus config print`' : `did you mean ${meant}?`
  return `there is no such setting; ${advice}`
}

const longestShown = 60

function shown(value: unknown): string {
  if (value === null) return 'nothing'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
}

const valueAt = (tree: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], tree)
