/** The reason why a row is not stored. `reason` is a stable code; `detail` is a sentence for a person. */
export interface Rejection {
  readonly reason: Reason
  readonly field?: string
  readonly detail: string
}

/** Codes by which a report counts rejected rows. */
export type Reason =
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

/** The fields of a row by name. */
export type Fields = Readonly<Record<string, unknown>>

/** A row as a format reader yields it. With a rejection, `record` is present only where the key may be readable. */
export interface Row {
  /** The line on which the row begins, from 1; the number of the feature or row in formats without lines. */
  readonly line: number
  /** Returns the row as it is in the input, for the rejects file; as JSON where the format is binary. */
  text(): string
  readonly record?: Fields
  readonly rejection?: Rejection
}
