import type { DataWriter, RecordKind } from '../domain/stores.ts'
import { batches } from '../kit/batch.ts'
import type { Clock } from '../kit/clock.ts'
import { FieldReader } from './field-reader.ts'
import { type Asked, openTable, type Table } from './formats/open-table.ts'
import type { Format } from './formats/sniff.ts'
import { type BatchImporter, type Fate, type Item, locationImporter, reviewImporter } from './import-batch.ts'
import type { Input } from './input.ts'
import { readKey } from './key.ts'
import { kindOfRecord } from './kind.ts'
import { type Description, type Mapped, Unclear } from './mapping/mapping.ts'
import { type LocationRecord, type NormaliseOptions, normaliseLocation } from './normalise-location.ts'
import { normaliseReview, type ReviewRecord } from './normalise-review.ts'
import { countNotes, countRejection, emptyReport, type Report } from './report.ts'
import type { Fields, Rejection, Row } from './row.ts'
import type { Sync } from './sync.ts'

/** Rows of one transaction: the first one is looked at soon, and the pages that a larger one changes are fewer a row. */
const firstRows = 1000
const batchRows = 4000

/** Over this share of rejected rows an import stops (rulings: Import format). */
const maxRejectedShare = 0.1

/** First records that are shown to whoever watches. */
const shownSamples = 5

/** The source of records that name none, when nobody says another. */
const fallbackSource = 'import'

export interface ImportOptions extends Partial<Asked>, Pick<NormaliseOptions, 'defaultStatus'> {
  /** Of records that name no source; left out, the one that the format brings along, or `import`. */
  readonly defaultSource?: string | undefined
  /** Go on whatever the share of rejected rows. */
  readonly force: boolean
  /** The full sync that this input is a part of. */
  readonly sync?: Sync
}

/** What an input was found to be, after a look at its first rows. */
export interface Understanding extends Description {
  readonly format: Format
  /** What the numbers of rejected rows count. */
  readonly unit: Table['unit']
  readonly kind: RecordKind
  readonly source: string
}

/** Whoever watches an import. */
export interface ImportObserver {
  kind(kind: RecordKind): void
  understood?(understanding: Understanding): void
  /** One of the first records, as it goes into the store, with its key. */
  sample?(record: object): void
  /** After each batch. */
  progress(report: Readonly<Report>): void
  rejected(line: number, text: string, rejection: Rejection): void
}

/**
 * Imports one input: rows -> normalised or rejected -> batches, each stored whole. Running it again changes nothing;
 * after a kill at any moment, running it again finishes the job. Throws UnreadableInput and Unclear.
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
  const { kind, format, delimiter, fields = [] } = options
  const table = await openTable(input, { kind, format, delimiter, fields })
  const seen = writer.seenIds()
  const settle = (line: number, text: () => string, fate: Fate) => {
    if (fate === 'deferred') return
    if (typeof fate !== 'string') {
      countRejection(report, fate)
      observer.rejected(line, text(), fate)
    } else if (fate !== 'merge_cycle') report[fate]++
  }
  const importerOf = (rows: readonly Row[]): KindImporter => {
    const understanding = understand(table, options, rows)
    observer.kind(understanding.kind)
    observer.understood?.(understanding)
    const normalise: NormaliseOptions = {
      defaultSource: understanding.source,
      defaultStatus: options.defaultStatus,
      thisYear: new Date(clock.nowMs()).getUTCFullYear(),
    }
    const around: Surroundings = {
      table,
      options,
      observer,
      source: understanding.source,
      settle,
      noted: notes => countNotes(report, notes),
    }
    return understanding.kind === 'location'
      ? kindImporter('location', locationImporter(writer, seen), one => normaliseLocation(one, normalise), around)
      : kindImporter('review', reviewImporter(writer, seen), one => normaliseReview(one, normalise), around)
  }
  try {
    let importer: KindImporter | undefined
    for await (const rows of batches(table.rows, batchRows, firstRows)) {
      importer ??= importerOf(rows)
      report.read += rows.length
      await importer.store(rows)
      report.seconds = (clock.monotonicUs() - startUs) / 1e6
      observer.progress(report)
      if (tooManyRejected(report) && !options.force) {
        report.stopped = `${report.rejected} of ${report.read} rows were rejected, more than 10 %: the import stopped. What was stored stays. Look at the rejected rows, or go on with --force.`
        break
      }
    }
    // An input without rows is of a kind all the same: a full sync has to know which.
    importer ??= importerOf([])
    if (report.stopped === undefined) await importer.finish()
  } finally {
    seen.close()
    await table.close()
  }
  report.seconds = (clock.monotonicUs() - startUs) / 1e6
  return report
}

const tooManyRejected = (report: Report): boolean =>
  report.read >= firstRows && report.rejected > report.read * maxRejectedShare

function understand({ format, unit, mapping }: Table, options: ImportOptions, rows: readonly Row[]): Understanding {
  const records = rows.flatMap(({ record }) => (record ? [record] : []))
  const kind =
    options.kind ??
    mapping.kind ??
    guessKind(
      records.map(record => mapping.apply({ record }).record),
      rows,
      options,
    )
  const source = options.defaultSource ?? mapping.source ?? fallbackSource
  return { format, unit, kind, source, ...mapping.describe(records, kind) }
}

function guessKind(records: readonly Fields[], rows: readonly Row[], { sync }: ImportOptions): RecordKind {
  for (const record of records) {
    const kind = kindOfRecord(record)
    if (kind) return kind
  }
  // Nothing but broken rows: they are reported as such, whatever they were to be. A full sync of nothing is no trifle.
  if (rows.every(row => row.rejection) && !(sync && rows.length === 0)) return 'location'
  throw new Unclear(
    'It cannot be told whether these are locations or reviews: say so with --kind locations or --kind reviews.',
  )
}

interface KindImporter {
  store(rows: readonly Row[]): Promise<void>
  finish(): Promise<void>
}

interface Surroundings {
  readonly table: Table
  readonly options: ImportOptions
  readonly observer: ImportObserver
  readonly source: string
  settle(line: number, text: () => string, fate: Fate): void
  noted(notes: readonly string[]): void
}

/** Puts mapping and normaliser of a kind before its batch importer. */
function kindImporter<R extends LocationRecord | ReviewRecord>(
  kind: RecordKind,
  importer: BatchImporter<R>,
  normalise: (record: Fields) => R | Rejection,
  { table, options: { sync }, observer, source, settle, noted }: Surroundings,
): KindImporter {
  const mappedOf = (row: Row): Mapped =>
    row.rejection || !row.record
      ? { record: row.record ?? {}, rejection: row.rejection! }
      : table.mapping.apply({ record: row.record })
  let samples = 0
  sync?.concerns(kind)
  return {
    store: async rows => {
      const items: Item<R>[] = []
      const refused: Fields[] = []
      for (const row of rows) {
        const { record, rejection } = mappedOf(row)
        const normalised = rejection ?? normalise(record)
        if ('reason' in normalised) {
          settle(row.line, row.text, normalised)
          refused.push(record)
        } else items.push({ line: row.line, text: row.text, record: normalised })
      }
      const fates = await importer.store(items)
      for (const [i, item] of items.entries()) {
        settle(item.line, item.text, fates[i]!)
        if (typeof fates[i] !== 'string') continue
        noted(item.record.notes)
        if (samples++ < shownSamples) observer.sample?.(stored(item.record))
      }
      // What the source still has is kept, whether its row was good or not.
      await sync?.keep(kind, [...items.map(item => item.record.key), ...refused.flatMap(one => keyOf(one, source))])
    },
    finish: async () => {
      for (const { item, fate } of await importer.finish()) settle(item.line, item.text, fate)
    },
  }
}

/** The key of a record that is not good otherwise; none where it cannot be read. */
function keyOf(record: Fields, source: string) {
  const key = readKey(new FieldReader(record, { notes: [] }), source)
  return key ? [key] : []
}

/** A record as the store keeps it, its key first. */
function stored({ key, notes: _, ...record }: LocationRecord | ReviewRecord): object {
  const { op, ...rest } = record
  if ('location' in rest) return { ...key, ...rest.location }
  if ('review' in rest) return { ...key, place: rest.place, ...rest.review }
  return { ...key, op, ...rest }
}
