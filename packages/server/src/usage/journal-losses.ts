import { statSync } from 'node:fs'
import type { FoldedFile } from '../domain/ledger.ts'
import { findSequenceEnd, type JournalScan } from './journal-files.ts'
import type { JournalReader } from './journal-reader.ts'

/** A file of the journal that is missing or shorter than what the ledger has read of it. */
export interface JournalLoss {
  /** The file as the ledger knows it. */
  readonly known: FoldedFile
  /** Current size in bytes; undefined if the file is missing. */
  readonly bytes: number | undefined
}

/** A part of a file of the journal that is not a batch, although batches follow it. */
export interface JournalDamage {
  readonly file: number
  readonly offset: number
  readonly bytes: number
}

/** Returns a user-facing message. */
export function journalLossText({ known, bytes }: JournalLoss): string {
  const { file, calls, bytes: folded, lastMs } = known
  if (bytes !== undefined)
    return `File ${file} of the journal has ${bytes} bytes, but the ledger has read ${folded}. Counted calls stay billed; other calls in the missing part are lost.`
  const missing = `File ${file} of the journal is missing.`
  if (folded === 0) return `${missing} The ledger has read nothing of it: its calls are lost.`
  const last = Number.isFinite(lastMs) && lastMs > 0 ? `, the last at ${new Date(lastMs).toISOString()}` : ''
  return `${missing} The ledger has read ${folded} bytes of it and counted ${calls} calls${last}. They stay billed; later calls in it are lost.`
}

/** Returns a user-facing message, without what has become of the calls. */
export const journalDamageText = ({ file, offset, bytes }: JournalDamage): string =>
  `File ${file} of the journal has ${bytes} damaged bytes from byte ${offset} on.`

/**
 * Compares the files of the journal with the files that the ledger knows. Includes losses that have been reported
 * before.
 */
export function findLosses(known: ReadonlyMap<number, FoldedFile>, { files, taken }: JournalScan): JournalLoss[] {
  const listed = new Map(files.map(file => [file.number, file]))
  const first = Math.min(...known.keys())
  const numbers = new Set([...taken.filter(number => number >= first), ...known.keys()].filter(number => number > 0))
  const end = findSequenceEnd(numbers)
  const losses: JournalLoss[] = []
  for (const file of known.values()) {
    if (file.state === 'dropped' || isStray(file, end)) continue
    const found = listed.get(file.file)
    // Files that were compressed in the folder were complete; their size says nothing.
    const bytes =
      found?.form === 'plain' ? statSync(found.path, { throwIfNoEntry: false })?.size : (found?.bytes ?? file.bytes)
    if (!found) losses.push({ known: file, bytes: undefined })
    else if (bytes !== undefined && bytes < file.bytes) losses.push({ known: file, bytes })
  }
  return [...losses, ...findGaps(known, numbers, end)]
}

/**
 * Returns true for a file that is not of the writer's sequence, or that only has calls of other files: nothing is lost
 * with it.
 */
const isStray = ({ file, bytes, calls, firstMs, state }: FoldedFile, end: number): boolean =>
  state === 'present' && calls === 0 && firstMs > 0 && (bytes > 0 || file > end)

/** Returns a loss for each number of the sequence that neither the ledger nor the folder has. */
function findGaps(known: ReadonlyMap<number, FoldedFile>, numbers: ReadonlySet<number>, end: number): JournalLoss[] {
  const losses: JournalLoss[] = []
  let timeMs = 0
  for (let number = Math.min(...numbers); number < end; number++) {
    timeMs = known.get(number)?.lastMs ?? timeMs
    if (numbers.has(number)) continue
    const unread = { file: number, bytes: 0, calls: 0, firstMs: timeMs, lastMs: timeMs, state: 'present' } as const
    losses.push({ known: unread, bytes: undefined })
  }
  return losses
}

/** Finds the losses of a journal that have not been reported yet, and the files that are back. */
export class LossFinder {
  readonly #journal: JournalReader
  readonly #absentRuns: number
  /** Number of consecutive searches in which a file was missing or shortened. */
  #absent = new Map<number, number>()

  /** `absentRuns`: number of consecutive searches that must find a loss before it is reported. */
  constructor(journal: JournalReader, absentRuns: number) {
    this.#journal = journal
    this.#absentRuns = absentRuns
  }

  /** Returns the new losses, and the files whose state in the ledger changes because of them. */
  async find(
    known: ReadonlyMap<number, FoldedFile>,
  ): Promise<{ readonly losses: readonly JournalLoss[]; readonly changed: readonly FoldedFile[] }> {
    const found = findLosses(known, await this.#journal.scan())
    const absent = new Map<number, number>()
    for (const { known: file } of found)
      if (file.state === 'present') absent.set(file.file, (this.#absent.get(file.file) ?? 0) + 1)
    this.#absent = absent
    const losses = found.filter(loss => (absent.get(loss.known.file) ?? 0) >= this.#absentRuns)
    const stillLost = new Set(found.map(loss => loss.known.file))
    const back = [...known.values()].filter(({ file, state }) => state === 'lost' && !stillLost.has(file))
    return {
      losses,
      changed: [
        ...losses.map(loss => ({ ...loss.known, state: 'lost' as const })),
        ...back.map(file => ({ ...file, state: 'present' as const })),
      ],
    }
  }
}
