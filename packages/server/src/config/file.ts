import { readFileSync } from 'node:fs'
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'

/** A config file as it was read. */
export interface ReadFile {
  readonly tree: Record<string, unknown>
  /** Of each setting by its dotted path, the line on which it stands. */
  readonly lines: ReadonlyMap<string, number>
  readonly mistakes: readonly string[]
  /** Whether the rest can be judged: a key that stands twice does not hide anything else, broken syntax does. */
  readonly isWhole: boolean
}

const nothing = { tree: {}, lines: new Map<string, number>(), isWhole: false }

/** Reads a YAML file of settings. */
export function readConfigFile(file: string): ReadFile {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return { ...nothing, mistakes: [`The config file ${file} cannot be read. Name another with --config FILE.`] }
  }
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter })
  const mistakes = document.errors.map(
    ({ message, pos }) => `${file} line ${counter.linePos(pos[0]).line}: ${firstSentence(message)}.`,
  )
  if (document.errors.some(({ code }) => code !== 'DUPLICATE_KEY')) return { ...nothing, mistakes }
  if (document.contents === null) return { ...nothing, mistakes, isWhole: true }
  if (!isMap(document.contents))
    return { ...nothing, mistakes: [...mistakes, `${file}: a config file is a map of sections, such as "server:".`] }
  const lines = new Map<string, number>()
  collectLines(document.contents, '', (path, offset) => lines.set(path, counter.linePos(offset).line))
  return { tree: document.toJS() as Record<string, unknown>, lines, mistakes, isWhole: true }
}

const firstSentence = (message: string): string => message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, '')

type Told = (path: string, offset: number) => void

function collectLines(node: unknown, prefix: string, tell: Told): void {
  if (isSeq(node)) {
    for (const [i, item] of node.items.entries()) collectItem(`${prefix}${i}`, item, item, tell)
  } else if (isMap(node)) {
    for (const { key, value } of node.items)
      collectItem(`${prefix}${String(isScalar(key) ? key.value : key)}`, key, value, tell)
  }
}

function collectItem(path: string, place: unknown, value: unknown, tell: Told): void {
  tell(path, (place as { readonly range?: readonly number[] } | null)?.range?.[0] ?? 0)
  collectLines(value, `${path}.`, tell)
}
