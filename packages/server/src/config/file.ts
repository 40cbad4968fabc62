import { readFileSync } from 'node:fs'
import { loadYaml } from '../kit/yaml.ts'

/** The content of a configuration file. */
export interface ConfigFile {
  readonly tree: Record<string, unknown>
  /** Line number of each setting, by its dotted path. */
  readonly lines: ReadonlyMap<string, number>
  readonly errors: readonly string[]
  /** True if all settings were read. Invalid YAML may hide settings; a duplicate key does not. */
  readonly isComplete: boolean
  /** False if the file does not exist or cannot be read. */
  readonly isReadable: boolean
}

const empty = { tree: {}, lines: new Map<string, number>(), isComplete: false, isReadable: true }

/** Reads a configuration file in YAML. */
export function readConfigFile(file: string): ConfigFile {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return { ...empty, errors: [`Cannot read the configuration file ${file}.`], isReadable: false }
  }
  const { LineCounter, isMap, parseDocument } = loadYaml()
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter })
  const errors = document.errors.map(
    ({ message, pos }) => `${file} line ${counter.linePos(pos[0]).line}: ${summarize(message)}.`,
  )
  if (document.errors.some(({ code }) => code !== 'DUPLICATE_KEY')) return { ...empty, errors }
  if (document.contents === null) return { ...empty, errors, isComplete: true }
  if (!isMap(document.contents))
    return {
      ...empty,
      errors: [...errors, `${file}: a configuration file must be a map of sections, such as "server:".`],
    }
  const lines = new Map<string, number>()
  collectLines(document.contents, '', (path, offset) => lines.set(path, counter.linePos(offset).line))
  return { tree: document.toJS() as Record<string, unknown>, lines, errors, isComplete: true, isReadable: true }
}

const summarize = (message: string): string => message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, '')

type AddLine = (path: string, offset: number) => void

/** Calls `addLine` with the path and offset of every key and list item below a node. */
function collectLines(node: unknown, prefix: string, addLine: AddLine): void {
  const { isMap, isScalar, isSeq } = loadYaml()
  if (isSeq(node)) {
    for (const [i, item] of node.items.entries()) collectItem(`${prefix}${i}`, item, item, addLine)
  } else if (isMap(node)) {
    for (const { key, value } of node.items)
      collectItem(`${prefix}${String(isScalar(key) ? key.value : key)}`, key, value, addLine)
  }
}

function collectItem(path: string, place: unknown, value: unknown, addLine: AddLine): void {
  addLine(path, (place as { readonly range?: readonly number[] } | null)?.range?.[0] ?? 0)
  collectLines(value, `${path}.`, addLine)
}
