import { existsSync, readFileSync } from 'node:fs'
import Value from 'typebox/value'
import { isMap, LineCounter, parse, parseDocument } from 'yaml'
import { type Config, configSchema } from './schema.ts'

export type { Config }

/** Everything that is wrong with the configuration, a sentence each. */
export class ConfigMistakes extends Error {
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

interface SchemaNode {
  readonly properties?: Record<string, SchemaNode>
  readonly type?: string
}

/** Defaults, then the file, then the environment, then flags. Throws ConfigMistakes with every mistake at once. */
export function loadConfig(options: LoadOptions): Loaded {
  const sources = new Map<string, string>()
  const tree: Tree = {}
  const file = options.file ?? (existsSync(options.defaultFile) ? options.defaultFile : undefined)
  if (file !== undefined) readYaml(file, tree, sources)
  for (const path of settingPaths(configSchema as SchemaNode)) {
    const name = environmentName(path)
    const value = options.env[name]
    if (value !== undefined) put(tree, sources, path, path === 'data' ? value : parse(value), `env ${name}`)
  }
  for (const [path, value] of Object.entries(options.flags)) {
    if (value !== undefined) put(tree, sources, path, value, 'flag')
  }
  const filled = Value.Default(configSchema, tree)
  const mistakes = mistakesIn(filled, sources)
  if (!mistakes.some(text => /^(versions|endpoints)\b/.test(text))) {
    const found = options.check?.(filled as Config) ?? []
    mistakes.push(...found.map(({ path, text }) => `${located(path, sources)}: ${text}.`))
  }
  if (mistakes.length > 0) throw new ConfigMistakes(mistakes)
  return { config: deepFreeze(filled as Config), sources }
}

/** `server.publicUrl` -> `PERIPLUS_SERVER_PUBLIC_URL`; the data folder is PERIPLUS_DATA. */
export const environmentName = (path: string): string =>
  `PERIPLUS_${path
    .replaceAll('.', '_')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase()}`

/** The dotted paths of all settings, in the order of the schema. */
export function settingPaths(node: SchemaNode = configSchema as SchemaNode, prefix = ''): string[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) =>
    child.properties ? settingPaths(child, `${prefix}${name}.`) : [`${prefix}${name}`],
  )
}

function readYaml(file: string, tree: Tree, sources: Map<string, string>): void {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw new ConfigMistakes([`The config file ${file} cannot be read. Name another with --config FILE.`])
  }
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  if (document.errors.length > 0) {
    throw new ConfigMistakes(document.errors.map(error => `${file}: ${error.message.split('\n')[0]}`))
  }
  if (document.contents === null) return
  if (!isMap(document.contents))
    throw new ConfigMistakes([`${file}: a config file is a map of sections, such as "server:".`])
  collectLines(
    document.contents,
    '',
    path => (offset: number) => sources.set(path, `${file} line ${lines.linePos(offset).line}`),
  )
  Object.assign(tree, document.toJS() as Tree)
}

type NodeMap = Parameters<typeof isMap>[0]

function collectLines(node: NodeMap, prefix: string, at: (path: string) => (offset: number) => void): void {
  if (!isMap(node)) return
  for (const pair of node.items) {
    const key = pair.key as { value: unknown; range?: [number, number, number] }
    const path = `${prefix}${String(key.value)}`
    at(path)(key.range?.[0] ?? 0)
    collectLines(pair.value as NodeMap, `${path}.`, at)
  }
}

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

function mistakesIn(tree: unknown, sources: ReadonlyMap<string, string>): string[] {
  const mistakes = new Map<string, string>()
  for (const error of Value.Errors(configSchema, tree)) {
    const path = error.instancePath.slice(1).replaceAll('/', '.')
    // An unknown setting is reported twice, at itself and at its section: the first is enough.
    if (error.keyword === 'additionalProperties' || error.keyword === 'anyOf') continue
    const complaint =
      error.keyword === 'boolean' ? 'there is no such setting; see `periplus config print`' : error.message
    if (!mistakes.has(path)) mistakes.set(path, `${located(path, sources)}: ${complaint}.`)
  }
  return [...mistakes.values()]
}

/** A path, and where it was set; the parts of an array and of a map from the environment are found at their parents. */
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
