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

/** A row as a reader hands it out: an object, or why there is none. */
export type Row = { readonly line: number; readonly text: string } & (
  | { readonly record: Readonly<Record<string, unknown>> }
  | { readonly rejection: Rejection }
)
