import { existsSync, readFileSync } from 'node:fs'
import type { FoldedFile } from '../domain/ledger.ts'
import { findEndOfLastBatch } from './batch-frame.ts'
import { findNextNumber, findSequenceEnd, journalPath, listJournalSync, listTakenNumbers } from './journal-files.ts'

/** Returns true if retention has compressed a file, which it does after the ledger has all of it. */
export const isCompressed = (folder: string, number: number): boolean =>
  existsSync(journalPath(folder, number, 'compressed')) || existsSync(journalPath(folder, number, 'billedOnly'))

/**
 * Returns the file in which a journal continues: its last one, up to the end of the last complete batch, or a new one
 * if that file is compressed, is not a journal file, or does not have all that the ledger has read of it.
 */
export function chooseFile(
  folder: string,
  known: readonly FoldedFile[],
): { readonly number: number; readonly size: number } {
  const numbers = [...listTakenNumbers(folder), ...known.map(({ file }) => file)]
  const end = findSequenceEnd(numbers)
  const last = listJournalSync(folder).find(({ number }) => number === end)
  const { bytes = 0, state } = known.find(({ file }) => file === end) ?? {}
  if (last?.form === 'plain' && state !== 'lost' && state !== 'dropped') {
    const contents = readFileSync(last.path)
    const size = findEndOfLastBatch(contents)
    if (size >= bytes && (size > 0 || contents.length === 0)) return { number: end, size }
  }
  return { number: findNextNumber(end, numbers), size: 0 }
}
