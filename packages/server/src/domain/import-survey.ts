/** A row of a place whose position is known. */
export interface SurveyedPlace {
  readonly latitude: number
  readonly longitude: number
  readonly country?: string | undefined
  readonly category?: string | undefined
  /** Outcome of the import of the row, or the reason of its rejection. */
  readonly outcome: SurveyedOutcome | { readonly rejected: string }
}

export type SurveyedOutcome = 'added' | 'changed' | 'unchanged'

/** Numbers of accepted places with the same country or category. */
export interface DriftCount extends Readonly<Record<SurveyedOutcome, number>> {
  /** Code of the country, or top-level category; missing for places without one. */
  readonly value?: string
}

/** Changes by the accepted places of an import, by country and by category; the most frequent values first. */
export interface ImportDrift {
  readonly countries: readonly DriftCount[]
  readonly categories: readonly DriftCount[]
}

/** The position of a sampled row; `rejected` is the reason if it was rejected. */
export interface SampledPoint {
  readonly latitude: number
  readonly longitude: number
  readonly rejected?: string
}

/** Findings of an import about the places in its inputs. */
export interface ImportSurvey {
  readonly drift: ImportDrift
  /** At most 1,000 accepted and 1,000 rejected points, evenly spread over the inputs. */
  readonly points: readonly SampledPoint[]
}
