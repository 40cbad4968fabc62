import type { Locale } from '../../domain/locale.ts'

/** Milliseconds since 1970 -> RFC 3339 in UTC; whole seconds carry no fraction. */
export const timestamp = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z')

/** A rating to the nearest half, as icons are named: 4.27 -> `4.5`. */
export const halfSteps = (rating: number): string => (Math.round(Math.min(5, Math.max(0, rating)) * 2) / 2).toFixed(1)

/** Path of the icon of a rating, from the service's own root. */
export const ratingIconPath = (rating: number): string => `/icons/ratings/${halfSteps(rating)}.svg`

/** Path of the icon of a subrating type. */
export const subratingIconPath = (type: string): string => `/icons/subratings/${type}.svg`

/** What a presenter needs besides the thing itself. */
export interface PresentContext {
  /** Absolute, no slash at its end. */
  readonly publicUrl: string
  /** In order of preference; empty for all. */
  readonly locales: readonly Locale[]
}
