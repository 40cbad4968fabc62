import Table from 'cli-table3'
import { stringifyLongJson } from '../kit/long-json.ts'

/** Prints one JSON object, or human-readable text, to standard output. */
export function print(json: boolean | undefined, value: object, text: () => string): void {
  process.stdout.write(json ? `${stringifyLongJson(value)}\n` : `${text()}\n`)
}

export type Cell = string | number | undefined

/** Characters of a table without borders: a rule below the head, and two spaces between columns. */
const chars = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  right: '',
  'right-mid': '',
  mid: '─',
  'mid-mid': '  ',
  middle: '  ',
}
const style = { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true }

/** Formats columns of equal width, with numbers aligned right. */
export function textTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const table = new Table({ chars, style, head: [...head] })
  for (const row of rows) table.push(row.map(cellOf))
  // cli-table3 draws the rule with the first row.
  return rows.length === 0 ? `${head.join('  ')}\n${head.map(name => '─'.repeat(name.length)).join('  ')}` : trim(table)
}

/** Formats names and values in two columns without a head; undefined values are omitted. */
export function textPairs(pairs: readonly (readonly [name: string, value: Cell])[]): string {
  const table = new Table({ chars: { ...chars, mid: '', 'mid-mid': '' }, style })
  for (const [name, value] of pairs) if (value !== undefined) table.push([name, String(value)])
  return trim(table)
}

const cellOf = (cell: Cell) =>
  typeof cell === 'number' ? { content: cell, hAlign: 'right' as const } : { content: cell ?? '' }

const trim = (table: { toString(): string }): string => table.toString().replaceAll(/ +$/gm, '')
