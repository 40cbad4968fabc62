import { existsSync } from 'node:fs'
import { fillDefaults } from '../kit/check-schema.ts'
import { readEnvironment } from './environment.ts'
import { readConfigFile } from './file.ts'
import type { Config } from './schema.ts'
import { settings } from './setting.ts'
import { findTrustedProxyErrors } from './trusted-proxies.ts'
import { validate } from './validate.ts'

export type { Config }

/** Error thrown for an invalid configuration, with a user-facing message for each error. */
export class InvalidConfig extends Error {
  readonly errors: readonly string[]
  /** Path of a configuration file that could not be read. */
  readonly unreadableFile: string | undefined

  constructor(errors: readonly string[], unreadableFile?: string) {
    super(errors.join('\n'))
    this.errors = errors
    this.unreadableFile = unreadableFile
  }
}

/** Values of settings by dotted path (`server.port`). */
export type Overrides = Readonly<Record<string, unknown>>

/** Options of `loadConfig`. */
export interface LoadOptions {
  /** File that the operator specified; an error if it does not exist. */
  readonly file?: string
  /** File to read when `file` is undefined; may be missing. */
  readonly defaultFile: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Settings from the command line; they take precedence. */
  readonly flags: Overrides
  /** Additional checks that the schema cannot express. Called only if the versions and endpoints match the schema. */
  readonly check?: (config: Config) => readonly { readonly path: string; readonly text: string }[]
}

/** A valid configuration. */
export interface LoadedConfig {
  readonly config: Config
  /**
   * Source of each setting: `periplus.yaml line 3`, `env PERIPLUS_DATA` or `flag`; settings with their default are not
   * listed.
   */
  readonly sources: ReadonlyMap<string, string>
}

type Tree = Record<string, unknown>

/**
 * Loads the configuration from defaults, file, environment and flags, in ascending precedence. Throws InvalidConfig
 * with all errors.
 */
export function loadConfig(options: LoadOptions): LoadedConfig {
  const { env, flags, defaultFile, file = existsSync(defaultFile) ? defaultFile : undefined, check } = options
  const read = file === undefined ? undefined : readConfigFile(file)
  const fromEnvironment = readEnvironment(env)
  const errors = [...(read?.errors ?? []), ...fromEnvironment.errors]
  const sources = new Map([...(read?.lines ?? [])].map(([path, line]) => [path, `${file} line ${line}`]))
  const tree: Tree = { ...read?.tree }
  for (const { path, name, value } of fromEnvironment.values) setPath(tree, sources, path, value, `env ${name}`)
  for (const [path, value] of Object.entries(flags))
    if (value !== undefined) setPath(tree, sources, path, value, 'flag')
  const filled = fillDefaults(settings, tree)
  const invalid = [...validate(filled), ...findTrustedProxyErrors((filled as Partial<Config>).server?.trustedProxies)]
  if (read?.isComplete !== false && !invalid.some(({ path }) => /^(versions|endpoints)\b/.test(path))) {
    // One error for a setting: what the schema rejects needs no other sentence.
    const rejected = new Set(invalid.map(({ path }) => path))
    invalid.push(...(check?.(filled as Config) ?? []).filter(({ path }) => !rejected.has(path)))
  }
  errors.push(...invalid.map(({ path, text }) => `${locate(path, sources)}: ${punctuate(text)}`))
  if (errors.length > 0) throw new InvalidConfig(errors, read?.isReadable === false ? file : undefined)
  return { config: deepFreeze(filled as Config), sources }
}

const punctuate = (text: string): string => (text.endsWith('?') ? text : `${text}.`)

/** Sets a value at a dotted path and records its source. */
function setPath(tree: Tree, sources: Map<string, string>, path: string, value: unknown, source: string): void {
  const parts = path.split('.')
  let at = tree
  for (const part of parts.slice(0, -1)) {
    if (typeof at[part] !== 'object' || at[part] === null) at[part] = {}
    at = at[part] as Tree
  }
  at[parts.at(-1)!] = value
  sources.set(path, source)
}

/** Formats a path with its source, or with the source of its nearest parent that has one. */
function locate(path: string, sources: ReadonlyMap<string, string>): string {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    const source = sources.get(at)
    if (source !== undefined) return `${path} (${source})`
  }
  return path
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const child of Object.values(value)) deepFreeze(child)
  return Object.freeze(value)
}
