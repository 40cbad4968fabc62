import type { SurveyedPlace } from './import-survey.ts'
import type { RecordKind } from './record-write.ts'

/** File formats that can be imported. */
export const importFormats = ['ndjson', 'csv', 'geojson', 'parquet', 'overpass', 'osm-pbf'] as const
export type ImportFormat = (typeof importFormats)[number]

/** A source of rows: a file, gzipped or not, or standard input. */
export interface ImportInput {
  readonly name: string
  /** Path of the file, for formats that require random access; undefined for standard input. */
  readonly path: string | undefined
  /** Size on disk; undefined for standard input. */
  readonly totalBytes: number | undefined
  /** Number of bytes of `totalBytes` that were read so far. */
  readBytes(): number
  /** Adds bytes that were read from `path` rather than from `chunks`. */
  addReadBytes(bytes: number): void
  /** Returns the decompressed content. Call it once. */
  chunks(): AsyncIterable<Buffer>
  /** The rows of a source that is not a file; `chunks` is empty then. */
  readonly rows?: InputRows
}

/** Rows of a database or of another service. */
export interface InputRows {
  /** The columns of a table, and their first values; undefined for records in the form of an import. */
  readonly columns?: readonly { readonly name: string; readonly samples: readonly unknown[] }[]
  readonly rows: AsyncIterable<InputRow>
}

/** A row of a source that is not a file. */
export interface InputRow {
  /** Number of the row, from 1. */
  readonly line: number
  text(): string
  readonly record: Readonly<Record<string, unknown>>
  /** Position in the source from which a later run continues. */
  readonly position?: string
}

/** A field and the column that it is read from. */
export interface FieldMapping {
  readonly field: string
  /**
   * A column, the path of a member (`names.primary`), or, in descriptions of known tables, a text that names several
   * columns.
   */
  readonly from: string
}

/** The fields of an input and its unused columns. */
export interface MappingDescription {
  readonly fields: readonly FieldMapping[]
  readonly unused: readonly string[]
}

/** The unit in which row numbers are reported. */
export type RowUnit = 'line' | 'feature' | 'row' | 'element'

/** The detected properties of an input, known after its first rows. */
export interface InputDescription extends MappingDescription {
  /** `rows`: a source that is not a file. */
  readonly format: ImportFormat | 'rows'
  readonly unit: RowUnit
  readonly kind: RecordKind
  /** Source of records without a source. */
  readonly source: string
  /** Encoding of a text file, known at its end; undefined for a binary format. */
  readonly encoding?: string
  /** Number of elements of a map that are not places; undefined for formats whose rows all are records. */
  readonly skipped?: number
}

/** The reason why a row is not stored. `reason` is a stable code; `detail` is a user-facing message. */
export interface Rejection {
  readonly reason: RejectionReason
  readonly field?: string
  readonly detail: string
}

/** Codes by which a report counts rejected rows. */
export type RejectionReason =
  | 'invalid_json'
  | 'invalid_utf8'
  | 'line_too_long'
  | 'copy_text_format'
  | 'ragged_row'
  | 'quote_not_closed'
  | 'stray_quote'
  | 'nul_byte'
  | 'not_a_feature'
  | 'unsupported_geometry'
  | 'not_an_object'
  | 'wrong_kind'
  | 'missing_key'
  | 'missing_name'
  | 'missing_coordinates'
  | 'latitude_out_of_range'
  | 'longitude_out_of_range'
  | 'coordinates_swapped'
  | 'not_finite'
  | 'invalid_id'
  | 'id_taken'
  | 'id_changed'
  | 'unknown_status'
  | 'invalid_date'
  | 'invalid_value'
  | 'rating_out_of_range'
  | 'missing_text_or_rating'
  | 'missing_place'
  | 'unknown_place'
  | 'unknown_merge_target'
  | 'merge_cycle'
  | 'duplicate_in_file'
  | 'erased'

/** Kinds of values that are compared with a table. */
export const unknownKinds = ['category', 'status', 'country'] as const
export type UnknownKind = (typeof unknownKinds)[number]

/** Counts of an import. */
export interface ImportReport {
  read: number
  added: number
  changed: number
  unchanged: number
  removed: number
  rejected: number
  /** Rejected rows by reason. */
  readonly reasons: Record<string, number>
  /** Dropped or defaulted values by note. */
  readonly notes: Record<string, number>
  readonly unknown: Record<UnknownKind, Map<string, number>>
  seconds: number
  /** Reason why the import stopped before the end of its input; stored batches remain. */
  stopped?: ImportStop
}

export type ImportStop = 'too_many_rejected' | 'cancelled'

/** Returns a report that counts nothing yet. */
export const emptyReport = (): ImportReport => ({
  read: 0,
  added: 0,
  changed: 0,
  unchanged: 0,
  removed: 0,
  rejected: 0,
  reasons: {},
  notes: {},
  unknown: { category: new Map(), status: new Map(), country: new Map() },
  seconds: 0,
})

/** Receives the events of the import of one input. */
export interface ImportObserver {
  /** Called after the first rows, and again at the end, when all unused columns are known. */
  described?(description: InputDescription): void
  /** Called with each of the first records, as passed to the store, preceded by its key. */
  sample?(record: object): void
  /** Called after each batch. */
  progress?(report: Readonly<ImportReport>): void
  /** Awaited when all rows up to a position are stored, with the position of the last one. */
  stored?(position: string | undefined): Promise<void>
  rejected?(line: number, text: string, rejection: Rejection): void
  /** Called with each row of a place whose position is known. */
  surveyed?(place: SurveyedPlace): void
}

/**
 * The information that an input requires from the operator: its kind, columns for required fields, or an existing
 * column.
 */
export type UnclearCode = 'unknown_kind' | 'missing_fields' | 'unknown_column'
