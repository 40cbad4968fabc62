import type { DataWriter } from '../domain/data-stores.ts'
import {
  emptyReport,
  type ImportInput,
  type ImportObserver,
  type ImportReport,
  type InputDescription,
  type UnknownKind,
} from '../domain/import.ts'
import type { RecordKind } from '../domain/record-write.ts'
import { toBatches } from '../kit/batch.ts'
import type { Clock } from '../kit/clock.ts'
import { type InputTable, openTable, type TableOptions } from './formats/open-table.ts'
import { guessKind } from './kind.ts'
import { createKindImporter, type KindImporter } from './kind-importer.ts'
import { UnclearInput } from './mapping/mapping.ts'
import type { NormaliseOptions } from './normalise-location.ts'
import { countUnknown } from './report.ts'
import type { Fields, Row } from './row.ts'
import type { Sync } from './sync.ts'

/** Rows in the first transaction; few, so that progress is reported soon. */
const firstBatchRows = 1000
/** Rows in each later transaction; many, because that rewrites fewer pages per row. */
const batchRows = 4000

/** Share of rejected rows above which an import stops (rulings: Import format). */
const maxRejectedShare = 0.1

/** Source of records without a source, if neither the operator nor the format specifies one. */
const fallbackSource = 'import'

export interface ImportOptions
  extends Partial<Omit<TableOptions, 'today'>>,
    Pick<NormaliseOptions, 'defaultStatus' | 'categoryMap'> {
  /** Source of records without a source; undefined for the source of the format, or `import`. */
  readonly defaultSource?: string | undefined
  /** Continues regardless of the share of rejected rows. */
  readonly force: boolean
  /** The full sync that this input is a part of. */
  readonly sync?: Sync
  /** Cancels the import; checked between batches, so that only complete batches are stored. */
  readonly signal?: AbortSignal
}

/**
 * Imports one input: rows are normalised or rejected, and stored in batches, each in one transaction. The import is
 * idempotent: running it again after it was killed or cancelled completes it. `report.stopped` contains
 * the reason if the import stopped early. Throws UnreadableInput and UnclearInput.
 */
export async function importInput(
  input: ImportInput,
  writer: DataWriter,
  options: ImportOptions,
  observer: ImportObserver,
  clock: Clock,
): Promise<ImportReport> {
  const report = emptyReport()
  const startUs = clock.monotonicUs()
  const { signal } = options
  const table = await openTable(input, tableOptions(options, clock))
  const seen = await writer.openSeenIds()
  let description: InputDescription | undefined
  const createImporter = (rows: readonly Row[]): KindImporter => {
    description = describeInput(table, options, rows)
    observer.described?.(description)
    const thisYear = new Date(clock.nowMs()).getUTCFullYear()
    const { kind, source } = description
    const { defaultStatus, categoryMap, sync } = options
    const onUnknown = (what: UnknownKind, value: string) => countUnknown(report, what, value)
    const { countryFromPoint } = table.mapping
    const normalise = { defaultSource: source, defaultStatus, categoryMap, countryFromPoint, thisYear, onUnknown }
    return createKindImporter(kind, { table, writer, seen, normalise, sync, observer, report })
  }
  try {
    let importer: KindImporter | undefined
    let position: string | undefined
    for await (const rows of toBatches(table.rows, batchRows, firstBatchRows)) {
      if (signal?.aborted) break
      importer ??= createImporter(rows)
      report.read += rows.length
      await importer.store(rows)
      report.seconds = (clock.monotonicUs() - startUs) / 1e6
      observer.progress?.(report)
      if (tooManyRejected(report) && !options.force) {
        report.stopped = 'too_many_rejected'
        break
      }
      position = rows.findLast(row => row.position !== undefined)?.position ?? position
      // A merge that is stored at the end must be read again if the import is killed.
      if (!importer.hasDeferred) await observer.stored?.(position)
    }
    if (signal?.aborted) report.stopped ??= 'cancelled'
    if (report.stopped === undefined) {
      // An input without rows has a kind too, which a full sync needs.
      importer ??= createImporter([])
      await importer.finish()
      await observer.stored?.(position)
    }
    if (description) observer.described?.(completeDescription(description, table))
  } finally {
    await seen.close()
    await table.close()
  }
  report.seconds = (clock.monotonicUs() - startUs) / 1e6
  return report
}

const tableOptions = ({ kind, format, delimiter, fields = [] }: ImportOptions, clock: Clock): TableOptions => ({
  today: new Date(clock.nowMs()).toISOString().slice(0, 10),
  kind,
  format,
  delimiter,
  fields,
})

const tooManyRejected = (report: ImportReport): boolean =>
  report.read >= firstBatchRows && report.rejected > report.read * maxRejectedShare

function describeInput(
  { format, unit, mapping }: InputTable,
  options: ImportOptions,
  rows: readonly Row[],
): InputDescription {
  const records = rows.flatMap(({ record }) => (record ? [record] : []))
  const kind =
    options.kind ??
    mapping.kind ??
    guessKindOfRows(
      records.map(record => mapping.apply({ record }).record),
      rows,
      options,
    )
  const source = options.defaultSource ?? mapping.source ?? fallbackSource
  return { format, unit, kind, source, ...mapping.describe(records, kind) }
}

/** Returns the description with what is known after the last row. */
function completeDescription(
  description: InputDescription,
  { mapping, encoding, skipped }: InputTable,
): InputDescription {
  const name = encoding()
  return {
    ...description,
    unused: mapping.unused(),
    ...(name !== undefined && { encoding: name }),
    ...(skipped && { skipped: skipped() }),
  }
}

function guessKindOfRows(records: readonly Fields[], rows: readonly Row[], { sync }: ImportOptions): RecordKind {
  for (const record of records) {
    const kind = guessKind(record)
    if (kind) return kind
  }
  // If every row is invalid, the rejections are the same for both kinds. A full sync of an empty input would remove
  // records, so its kind must be specified.
  if (rows.every(row => row.rejection) && !(sync && rows.length === 0)) return 'location'
  throw new UnclearInput('unknown_kind', 'Cannot determine whether the rows are locations or reviews.')
}
