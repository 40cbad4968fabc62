import type { Locale } from '../../domain/locale.ts'

/**
 * The same text in one piece. What `+` joins stays a chain of pieces, and one such text makes V8 write the whole JSON
 * around it the slow way: 5 µs became 10 for a location.
 */
const inOnePiece = (text: string): string => Buffer.from(text).toString()

/** Milliseconds since 1970 -> RFC 3339 in UTC; whole seconds carry no fraction. */
export function timestamp(ms: number): string {
  const text = new Date(ms).toISOString()
  return text.endsWith('.000Z') ? inOnePiece(`${text.slice(0, -5)}Z`) : text
}

/** A rating to the nearest half, as icons are named: 4.27 -> `4.5`. */
export const halfSteps = (rating: number): string => (Math.round(Math.min(5, Math.max(0, rating)) * 2) / 2).toFixed(1)

/** A function that keeps what it made for up to `most` texts. */
function remembering(make: (text: string) => string, most = 4096): (text: string) => string {
  const made = new Map<string, string>()
  return text => {
    const known = made.get(text)
    if (known !== undefined) return known
    if (made.size >= most) made.clear()
    const value = inOnePiece(make(text))
    made.set(text, value)
    return value
  }
}

/** Absolute addresses of icons, by half steps and by subrating type. */
interface IconUrls {
  readonly rating: (steps: string) => string
  readonly subrating: (type: string) => string
}

const iconUrls = new Map<string, IconUrls>()

function iconsUnder(publicUrl: string): IconUrls {
  const known = iconUrls.get(publicUrl)
  if (known) return known
  const urls = {
    rating: remembering(steps => `${publicUrl}/icons/ratings/${steps}.svg`),
    subrating: remembering(type => `${publicUrl}/icons/subratings/${type}.svg`),
  }
  iconUrls.set(publicUrl, urls)
  return urls
}

/** Address of the icon of a rating. */
export const ratingIconUrl = (publicUrl: string, rating: number): string =>
  iconsUnder(publicUrl).rating(halfSteps(rating))

/** Address of the icon of a subrating type. */
export const subratingIconUrl = (publicUrl: string, type: string): string => iconsUnder(publicUrl).subrating(type)

/** What a presenter needs besides the thing itself. */
export interface PresentContext {
  /** Absolute, no slash at its end. */
  readonly publicUrl: string
  /** In order of preference; empty for all. */
  readonly locales: readonly Locale[]
}
