import type { DataWriter, SeenIds } from '../domain/data-stores.ts'
import type { ImportObserver, ImportReport, Rejection } from '../domain/import.ts'
import type { ExternalKey, RecordKind } from '../domain/record-write.ts'
import { FieldReader } from './field-reader.ts'
import type { InputTable } from './formats/open-table.ts'
import {
  type BatchImporter,
  createLocationImporter,
  createReviewImporter,
  type ImportItem,
  type RowOutcome,
} from './import-batch.ts'
import { readKey } from './key.ts'
import type { Mapped } from './mapping/mapping.ts'
import { findCoordinates, type LocationRecord, type NormaliseOptions, normaliseLocation } from './normalise-location.ts'
import { normaliseReview, type ReviewRecord } from './normalise-review.ts'
import { withRegion } from './region.ts'
import { countNotes, countRejection } from './report.ts'
import type { Fields, Row } from './row.ts'
import type { Sync } from './sync.ts'

/** Number of stored records passed to the observer as samples. */
const sampleCount = 5

/** Imports the rows of one input whose kind is known. */
export interface KindImporter {
  /** Maps, normalises and stores one batch. */
  store(rows: readonly Row[]): Promise<void>
  /** True if rows wait for the end of the input. */
  readonly hasDeferred: boolean
  /** Stores the rows that were deferred to the end of the input. */
  finish(): Promise<void>
}

/** The input, the store, and the state of the import. */
export interface KindImporterOptions {
  readonly table: InputTable
  readonly writer: DataWriter
  readonly seen: SeenIds
  readonly normalise: NormaliseOptions
  readonly sync: Sync | undefined
  readonly observer: ImportObserver
  readonly report: ImportReport
}

/** Creates the importer of a kind, which maps and normalises rows and passes them to a batch importer. */
export function createKindImporter(kind: RecordKind, options: KindImporterOptions): KindImporter {
  const { writer, seen, normalise } = options
  return kind === 'location'
    ? createImporter(kind, options, createLocationImporter(writer, seen), record =>
        withRegion(normaliseLocation(record, normalise)),
      )
    : createImporter(kind, options, createReviewImporter(writer, seen), record => normaliseReview(record, normalise))
}

function createImporter<R extends LocationRecord | ReviewRecord>(
  kind: RecordKind,
  { table, normalise: { defaultSource }, sync, observer, report }: KindImporterOptions,
  importer: BatchImporter<R>,
  normalise: (record: Fields) => R | Rejection,
): KindImporter {
  let samples = 0
  let hasDeferred = false
  const survey = (record: R, outcome: RowOutcome): void => {
    if (!observer.surveyed || !('location' in record) || outcome === 'deferred' || outcome === 'removed') return
    const { latitude, longitude } = record.location.coordinates
    const { country, category } = record.facts
    const result =
      outcome === 'merged' ? 'unchanged' : typeof outcome === 'string' ? outcome : { rejected: outcome.reason }
    observer.surveyed({ latitude, longitude, country, category, outcome: result })
  }
  const surveyRejected = (record: Fields, { reason }: Rejection): void => {
    const coordinates = observer.surveyed && kind === 'location' ? findCoordinates(record) : undefined
    if (coordinates) observer.surveyed?.({ ...coordinates, outcome: { rejected: reason } })
  }
  const recordOutcome = (line: number, text: () => string, outcome: RowOutcome): void => {
    if (typeof outcome !== 'string') {
      countRejection(report, outcome)
      observer.rejected?.(line, text(), outcome)
    } else if (outcome === 'merged') {
      // An operator has merged the place: its record waits for the end of the merge.
      report.unchanged++
      countNotes(report, ['merged'])
    } else if (outcome !== 'deferred') report[outcome]++
  }
  sync?.includeKind(kind)
  return {
    get hasDeferred() {
      return hasDeferred
    },
    store: async rows => {
      const items: ImportItem<R>[] = []
      const rejectedRecords: Fields[] = []
      for (const row of rows) {
        const { record, rejection } = mapRow(table, row, kind)
        const normalised = rejection ?? normalise(record)
        if ('reason' in normalised) {
          recordOutcome(row.line, row.text, normalised)
          rejectedRecords.push(record)
          surveyRejected(record, normalised)
        } else items.push({ line: row.line, text: row.text, record: normalised })
      }
      const outcomes = await importer.store(items)
      for (const [i, item] of items.entries()) {
        const outcome = outcomes[i]!
        recordOutcome(item.line, item.text, outcome)
        survey(item.record, outcome)
        if (typeof outcome !== 'string') continue
        hasDeferred ||= outcome === 'deferred'
        countNotes(report, item.record.notes)
        if (samples++ < sampleCount) observer.sample?.(toSample(item.record))
      }
      // Keep the records of rejected rows as well: the source still has them.
      const keys = [
        ...items.map(item => item.record.key),
        ...rejectedRecords.flatMap(one => findKey(one, defaultSource)),
      ]
      await sync?.keep(kind, keys)
    },
    finish: async () => {
      for (const { item, outcome } of await importer.finish()) recordOutcome(item.line, item.text, outcome)
    },
  }
}

const mapRow = ({ mapping }: InputTable, { record, rejection }: Row, kind: RecordKind): Mapped =>
  rejection || !record ? { record: record ?? {}, rejection: rejection! } : mapping.apply({ record }, kind)

/** Returns the key of a rejected record, or an empty list if the key is invalid too. */
function findKey(record: Fields, defaultSource: string): ExternalKey[] {
  const key = readKey(new FieldReader(record, { notes: [] }), defaultSource)
  return key ? [key] : []
}

/** Converts a record to the form that is stored, preceded by its key. */
function toSample({ key, notes: _, ...record }: LocationRecord | ReviewRecord): object {
  const { op, ...rest } = record
  if ('location' in rest) return { ...key, ...rest.location }
  if ('review' in rest) return { ...key, place: rest.place, ...rest.review }
  return { ...key, op, ...rest }
}
