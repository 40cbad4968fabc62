import { existsSync } from 'node:fs'
import Value from 'typebox/value'
import { readEnvironment } from './environment.ts'
import { readConfigFile } from './file.ts'
import { type Config, configSchema } from './schema.ts'
import { validate } from './validate.ts'

export type { Config }

/** Everything that is wrong with the configuration, a sentence each. */
export class InvalidConfig extends Error {
  readonly mistakes: readonly string[]
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.mistakes = mistakes
  }
}

/** A setting by its dotted path (`server.port`). */
export type Overrides = Readonly<Record<string, unknown>>

export interface LoadOptions {
  /** The file named with --config; it has to be there. */
  readonly file?: string
  /** Tried when no file was named; it may be missing. */
  readonly defaultFile: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** From the command line; these win. */
  readonly flags: Overrides
  /** What settings of the right form can still get wrong; looked at where versions and endpoints are well-formed. */
  readonly check?: (config: Config) => readonly { readonly path: string; readonly text: string }[]
}

export interface Loaded {
  readonly config: Config
  /** Where each setting came from: `default`, `periplus.yaml line 3`, `env PERIPLUS_DATA`, `flag`. */
  readonly sources: ReadonlyMap<string, string>
}

type Tree = Record<string, unknown>

/** Defaults, then the file, then the environment, then flags. Throws InvalidConfig with every mistake at once. */
export function loadConfig(options: LoadOptions): Loaded {
  const { env, flags, defaultFile, file = existsSync(defaultFile) ? defaultFile : undefined, check } = options
  const read = file === undefined ? undefined : readConfigFile(file)
  const fromEnvironment = readEnvironment(env)
  const mistakes = [...(read?.mistakes ?? []), ...fromEnvironment.mistakes]
  const sources = new Map([...(read?.lines ?? [])].map(([path, line]) => [path, `${file} line ${line}`]))
  const tree: Tree = { ...read?.tree }
  for (const { path, name, value } of fromEnvironment.values) put(tree, sources, path, value, `env ${name}`)
  for (const [path, value] of Object.entries(flags)) if (value !== undefined) put(tree, sources, path, value, 'flag')
  const filled = Value.Default(configSchema, tree)
  const wrong = validate(filled)
  if (read?.isWhole !== false && !wrong.some(({ path }) => /^(versions|endpoints)\b/.test(path)))
    wrong.push(...(check?.(filled as Config) ?? []))
  mistakes.push(...wrong.map(({ path, text }) => `${located(path, sources)}: ${sentence(text)}`))
  if (mistakes.length > 0) throw new InvalidConfig(mistakes)
  return { config: deepFreeze(filled as Config), sources }
}

const sentence = (text: string): string => (text.endsWith('?') ? text : `${text}.`)

function put(tree: Tree, sources: Map<string, string>, path: string, value: unknown, source: string): void {
  const parts = path.split('.')
  let at = tree
  for (const part of parts.slice(0, -1)) {
    if (typeof at[part] !== 'object' || at[part] === null) at[part] = {}
    at = at[part] as Tree
  }
  at[parts.at(-1)!] = value
  sources.set(path, source)
}

/** A path, and where it was set; what has no place of its own is found at its parents. */
function located(path: string, sources: ReadonlyMap<string, string>): string {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    const where = sources.get(at)
    if (where !== undefined) return `${path} (${where})`
  }
  return path
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const child of Object.values(value)) deepFreeze(child)
  return Object.freeze(value)
}
