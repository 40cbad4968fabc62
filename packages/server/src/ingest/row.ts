/** Why a row was not taken. `reason` is a word for counting; `detail` is a sentence for a person. */
export interface Rejection {
  readonly reason: Reason
  readonly field?: string
  readonly detail: string
}

/** The words by which a report counts rejected rows. */
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

/** The fields of a row by their names. */
export type Fields = Readonly<Record<string, unknown>>

/** A row as a reader hands it out: its fields, or why they are not good, or both where the key may still be read. */
export interface Row {
  /** The line on which it begins, from 1; the number of the feature or row where a format has no lines. */
  readonly line: number
  /** The row as it came, for the file of rejected rows; JSON where the format is binary. */
  text(): string
  readonly record?: Fields
  readonly rejection?: Rejection
}
