import { parse } from 'yaml'
import { expected, type Setting, settingAt, settingPaths, settings } from './setting.ts'
import { nearest } from './suggest.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** `server.publicUrl` -> `PERIPLUS_SERVER_PUBLIC_URL`; the data folder is PERIPLUS_DATA. */
export const environmentName = (path: string): string =>
  `PERIPLUS_${path
    .replaceAll('.', '_')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase()}`

export interface FromEnvironment {
  readonly values: readonly { readonly path: string; readonly name: string; readonly value: unknown }[]
  readonly mistakes: readonly string[]
}

/** The settings that variables name: texts as they are, all else as YAML. An empty variable is none. */
export function readEnvironment(env: Environment): FromEnvironment {
  const values: { path: string; name: string; value: unknown }[] = []
  const mistakes: string[] = []
  const paths = settingPaths()
  for (const path of paths) {
    const name = environmentName(path)
    const text = env[name]
    if (text === undefined || text.trim() === '') continue
    const node = settingAt(path)!
    try {
      values.push({ path, name, value: isText(node) ? text : parse(text) })
    } catch {
      mistakes.push(`${path} (env ${name}): ${JSON.stringify(text)} is not ${expected(node)}.`)
    }
  }
  return { values, mistakes: [...mistakes, ...unknownNames(paths, env)] }
}

const isText = ({ type, enum: words }: Setting): boolean =>
  type === 'string' || (words?.every(word => typeof word === 'string') ?? false)

/**
 * Variables that look like settings and are none. Others may begin with our name, too: a cluster gives a service that
 * is called periplus variables such as PERIPLUS_PORT_80_TCP_ADDR and PERIPLUS_SERVICE_HOST.
 */
function unknownNames(paths: readonly string[], env: Environment): string[] {
  const known = paths.map(environmentName)
  const sections = Object.keys(settings.properties!).map(name => `${environmentName(name)}_`)
  return Object.keys(env)
    .filter(name => sections.some(section => name.startsWith(section)) && !known.includes(name) && !isOfCluster(name))
    .map(name => {
      const meant = nearest(name, known)
      return `env ${name}: there is no such setting${meant === undefined ? '.' : `; did you mean ${meant}?`}`
    })
}

const isOfCluster = (name: string): boolean => /_(SERVICE_HOST|SERVICE_PORT\w*|PORT_\d+_(TCP|UDP)\w*)$/.test(name)
