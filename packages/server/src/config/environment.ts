import { findNearest } from '../kit/nearest-name.ts'
import { loadYaml } from '../kit/yaml.ts'
import { describeExpected, findSetting, listSettingPaths, type Setting, settings } from './setting.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Returns the environment variable of a setting: `server.publicUrl` gives `PERIPLUS_SERVER_PUBLIC_URL`. */
export const toEnvironmentName = (path: string): string =>
  `PERIPLUS_${path
    .replaceAll('.', '_')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase()}`

/** The settings found in environment variables. */
export interface EnvironmentSettings {
  readonly values: readonly { readonly path: string; readonly name: string; readonly value: unknown }[]
  readonly errors: readonly string[]
}

/** Reads settings from environment variables: text verbatim, all other types as YAML. Empty variables are ignored. */
export function readEnvironment(env: Environment): EnvironmentSettings {
  const values: { path: string; name: string; value: unknown }[] = []
  const errors: string[] = []
  const paths = listSettingPaths()
  for (const path of paths) {
    const name = toEnvironmentName(path)
    const text = env[name]
    if (text === undefined || text.trim() === '') continue
    const node = findSetting(path)!
    try {
      values.push({ path, name, value: isText(node) ? text : loadYaml().parse(text) })
    } catch {
      errors.push(`${path} (env ${name}): expected ${describeExpected(node)}, found ${JSON.stringify(text)}.`)
    }
  }
  return { values, errors: [...errors, ...findUnknownNames(paths, env)] }
}

const isText = ({ type, enum: values }: Setting): boolean =>
  type === 'string' || (values?.every(value => typeof value === 'string') ?? false)

/**
 * Reports variables that look like settings but are not. Other variables may have the same prefix: for a service named
 * periplus, Kubernetes sets variables such as PERIPLUS_PORT_80_TCP_ADDR and PERIPLUS_SERVICE_HOST.
 */
function findUnknownNames(paths: readonly string[], env: Environment): string[] {
  const known = paths.map(toEnvironmentName)
  const sections = Object.keys(settings.properties!).map(name => `${toEnvironmentName(name)}_`)
  return Object.keys(env)
    .filter(
      name => sections.some(section => name.startsWith(section)) && !known.includes(name) && !isFromKubernetes(name),
    )
    .map(name => {
      const suggestion = findNearest(name, known)
      return `env ${name}: unknown setting${suggestion === undefined ? '.' : `; did you mean ${suggestion}?`}`
    })
}

const isFromKubernetes = (name: string): boolean => /_(SERVICE_HOST|SERVICE_PORT\w*|PORT_\d+_(TCP|UDP)\w*)$/.test(name)
