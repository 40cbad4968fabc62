import { createHash } from 'node:crypto'
import { StoreError } from '../../domain/store-errors.ts'
import { storable, toCopyRow } from '../rows/copy-text.ts'
import type { MovedColumns, MovedKey, MovedProof, MovedRow, MovedSource, MovedTarget } from './moved-rows.ts'

/** Called with the number of rows that are done. */
export type RowProgress = (table: string, done: number, total: number) => void

interface Sides {
  readonly source: MovedSource
  readonly target: MovedTarget
  readonly onProgress: RowProgress
}

/** Returns the row as a line of COPY. */
export const toLine = (row: MovedRow): string => toCopyRow(row.map(storable))

const toLines = (rows: readonly MovedRow[]): string => rows.map(toLine).join('')

/** Copies a table into an empty one. */
export async function copyTable(table: MovedColumns, { source, target, onProgress }: Sides): Promise<void> {
  const total = await source.count(table)
  let done = 0
  let after: MovedKey
  do {
    const { rows, end } = await source.read(table, after)
    await target.add(table, rows)
    done += rows.length
    onProgress(table.name, done, total)
    after = end
  } while (after !== undefined)
}

/**
 * Compares all rows of a table, and replaces ranges of rows that differ; reads again what it has replaced. Throws
 * StoreError if the two sides differ nevertheless.
 */
export async function alignTable(table: MovedColumns, { source, target, onProgress }: Sides): Promise<MovedProof> {
  const [ours, theirs] = [createHash('sha256'), createHash('sha256')]
  const total = await source.count(table)
  let done = 0
  let after: MovedKey
  do {
    const { rows, end } = await source.read(table, after)
    const range = { after, end }
    const expected = toLines(rows)
    let found = toLines(await target.read(table, range))
    if (found !== expected) {
      await target.replace(table, range, rows)
      found = toLines(await target.read(table, range))
    }
    ours.update(expected)
    theirs.update(found)
    done += rows.length
    onProgress(table.name, done, total)
    after = end
  } while (after !== undefined)
  const sha256 = ours.digest('hex')
  if (theirs.digest('hex') !== sha256)
    throw new StoreError(`The table ${table.name} of the database differs from the data folder. Nothing has moved.`)
  return { table: table.name, rows: done, sha256 }
}
