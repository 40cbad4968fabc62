import type { DataWriter, RecordKind } from '../domain/stores.ts'
import { batches } from '../kit/batch.ts'
import type { Clock } from '../kit/clock.ts'
import { type BatchImporter, type Fate, type Item, locationImporter, reviewImporter } from './import-batch.ts'
import type { Input } from './input.ts'
import { kindOfRecord } from './kind.ts'
import { readNdjson } from './ndjson.ts'
import { type LocationRecord, type NormaliseOptions, normaliseLocation } from './normalise-location.ts'
import { normaliseReview, type ReviewRecord } from './normalise-review.ts'
import { countNotes, countRejection, emptyReport, type Report } from './report.ts'
import type { Rejection, Row } from './row.ts'

/** Rows of one transaction. */
const batchRows = 1000

/** Over this share of rejected rows an import stops (rulings: Import format). */
const maxRejectedShare = 0.1

export interface ImportOptions extends NormaliseOptions {
  /** Undefined: told from the first record. */
  readonly kind: RecordKind | undefined
  /** Go on whatever the share of rejected rows. */
  readonly force: boolean
}

/** Whoever watches an import. */
export interface ImportObserver {
  kind(kind: RecordKind): void
  /** After each batch. */
  progress(report: Readonly<Report>): void
  rejected(line: number, text: string, rejection: Rejection): void
}

/** The kind of records cannot be told from the first row. */
export class UnknownKind extends Error {}

/**
 * Imports one input: rows -> normalised or rejected -> batches, each stored whole. Running it again changes nothing;
 * after a kill at any moment, running it again finishes the job.
 */
export async function importInput(
  input: Input,
  writer: DataWriter,
  options: ImportOptions,
  observer: ImportObserver,
  clock: Clock,
): Promise<Report> {
  const report = emptyReport()
  const startUs = clock.monotonicUs()
  const seen = writer.seenIds()
  const importerOf = (kind: RecordKind): KindImporter => {
    observer.kind(kind)
    return kind === 'location'
      ? kindImporter(locationImporter(writer, seen), record => normaliseLocation(record, options))
      : kindImporter(reviewImporter(writer, seen), record => normaliseReview(record, options))
  }
  const settle = (line: number, text: string, fate: Fate) => {
    if (fate === 'deferred') return
    if (typeof fate !== 'string') {
      countRejection(report, fate)
      observer.rejected(line, text, fate)
    } else if (fate !== 'merge_cycle') report[fate]++
  }
  try {
    let importer: KindImporter | undefined
    for await (const rows of batches(readNdjson(input.chunks()), batchRows)) {
      importer ??= importerOf(options.kind ?? guessKind(rows))
      report.read += rows.length
      await importer.store(rows, settle, notes => countNotes(report, notes))
      report.seconds = (clock.monotonicUs() - startUs) / 1e6
      observer.progress(report)
      if (tooManyRejected(report) && !options.force) {
        report.stopped = `${report.rejected} of ${report.read} rows were rejected, more than 10 %: the import stopped. What was stored stays. Look at the rejected rows, or go on with --force.`
        break
      }
    }
    if (report.stopped === undefined) await importer?.finish(settle)
  } finally {
    seen.close()
  }
  report.seconds = (clock.monotonicUs() - startUs) / 1e6
  return report
}

const tooManyRejected = (report: Report): boolean =>
  report.read >= batchRows && report.rejected > report.read * maxRejectedShare

function guessKind(rows: readonly Row[]): RecordKind {
  for (const row of rows) {
    const kind = 'record' in row ? kindOfRecord(row.record) : undefined
    if (kind) return kind
  }
  // Nothing but broken rows: they are reported as such, whatever they were to be.
  if (rows.every(row => 'rejection' in row)) return 'location'
  throw new UnknownKind(
    'It cannot be told whether these are locations or reviews: say so with --kind locations or --kind reviews.',
  )
}

type Settle = (line: number, text: string, fate: Fate) => void

interface KindImporter {
  store(rows: readonly Row[], settle: Settle, noted: (notes: readonly string[]) => void): Promise<void>
  finish(settle: Settle): Promise<void>
}

/** Puts the normaliser of a kind before its batch importer. */
function kindImporter<R extends LocationRecord | ReviewRecord>(
  importer: BatchImporter<R>,
  normalise: (record: Readonly<Record<string, unknown>>) => R | Rejection,
): KindImporter {
  return {
    store: async (rows, settle, noted) => {
      const items: Item<R>[] = []
      for (const row of rows) {
        const normalised = 'record' in row ? normalise(row.record) : row.rejection
        if ('reason' in normalised) settle(row.line, row.text, normalised)
        else items.push({ line: row.line, text: row.text, record: normalised })
      }
      const fates = await importer.store(items)
      for (const [i, item] of items.entries()) {
        settle(item.line, item.text, fates[i]!)
        if (typeof fates[i] === 'string') noted(item.record.notes)
      }
    },
    finish: async settle => {
      for (const { item, fate } of await importer.finish()) settle(item.line, item.text, fate)
    },
  }
}
