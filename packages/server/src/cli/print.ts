import { stringifyLongJson } from '../kit/long-json.ts'

/** Prints one JSON object, or what a person reads; both on standard output. */
export function print(json: boolean | undefined, value: object, human: () => string): void {
  process.stdout.write(json ? `${stringifyLongJson(value)}\n` : `${human()}\n`)
}

type Cell = string | number | undefined

/** Columns padded to their widest cell, numbers to the right. */
export function textTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const text = (cell: Cell) => (cell === undefined ? '' : String(cell))
  const widths = head.map((name, i) => Math.max(name.length, ...rows.map(row => text(row[i]).length)))
  const line = (cells: readonly Cell[]) =>
    cells
      .map((cell, i) => (typeof cell === 'number' ? text(cell).padStart(widths[i]!) : text(cell).padEnd(widths[i]!)))
      .join('  ')
      .trimEnd()
  return [line(head), line(widths.map(width => '─'.repeat(width))), ...rows.map(line)].join('\n')
}

/** Two columns without a head. */
export function textPairs(pairs: readonly (readonly [name: string, value: Cell])[]): string {
  const shown = pairs.filter(([, value]) => value !== undefined)
  const width = Math.max(...shown.map(([name]) => name.length))
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n')
}
