import { distanceScale } from './classes.ts'
import type { MatchRecord } from './record.ts'

/** Size of the cells within which places with a common word are compared, in degrees. */
const cellDegrees = { large: 0.3, small: 0.02 }

/** Number of the rarest words of a name under which it is found. */
const wordsOfName = 2

/** Keys of the blocks of a record: two records are compared if they have one in common. */
export interface BlockKeys {
  /** Keys that hold wherever the places are: ids in other sources and phone numbers. */
  readonly everywhere: readonly string[]
  /** Names, words and the cell of the record; records of neighbouring cells are compared, too. */
  readonly local: readonly string[]
  readonly cell: { readonly row: number; readonly column: number }
}

/** Returns the block keys of a record; `weightOf` distinguishes rare words. */
export function blockKeys(record: MatchRecord, weightOf: (word: string) => number): BlockKeys {
  const { placeClass = 'other', point } = record
  const size = distanceScale(placeClass) > 1 ? cellDegrees.large : cellDegrees.small
  const local = new Set<string>()
  for (const words of record.names) {
    local.add(`=${words.toSorted().join(' ')}`)
    const rarest = words.toSorted((a, b) => weightOf(b) - weightOf(a)).slice(0, wordsOfName)
    for (const word of rarest) if (!/^\d+$/.test(word)) local.add(`-${word}`)
  }
  return {
    everywhere: [...record.keys, ...record.phones.map(digits => `:tel:${digits}`)].map(key => `${placeClass} ${key}`),
    local: [...local].map(key => `${placeClass} ${key}`),
    cell: {
      row: Math.floor((point?.latitude ?? 0) / size),
      column: Math.floor((point?.longitude ?? 0) / size),
    },
  }
}

/** Returns the cells around one, itself included, across the antimeridian. */
export function cellsAround(
  { row, column }: BlockKeys['cell'],
  isLarge: boolean,
): { readonly row: number; readonly column: number }[] {
  const columns = Math.round(360 / (isLarge ? cellDegrees.large : cellDegrees.small))
  const wrap = (at: number) => ((at + columns / 2 + columns) % columns) - columns / 2
  return [-1, 0, 1].flatMap(down => [-1, 0, 1].map(right => ({ row: row + down, column: wrap(column + right) })))
}

/** Returns the text of a local key in a cell. */
export const inCell = (key: string, { row, column }: BlockKeys['cell']): string => `${key} ${row} ${column}`
