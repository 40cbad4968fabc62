import type { Locale } from '../../domain/locale.ts'

/**
 * Copies a string into one contiguous buffer. V8 stores a concatenated string as a tree of parts, and a single such
 * string sends JSON.stringify down its slow path for the entire object: 10 instead of 5 µs for a location.
 */
const flatten = (text: string): string => Buffer.from(text).toString()

/** Formats milliseconds since 1970 as RFC 3339 in UTC; whole seconds have no fraction. */
export function formatTimestamp(ms: number): string {
  const text = new Date(ms).toISOString()
  return text.endsWith('.000Z') ? flatten(`${text.slice(0, -5)}Z`) : text
}

/** Rounds a rating to the nearest half, the form used in icon names: 4.27 gives `4.5`. */
export const toHalfSteps = (rating: number): string => (Math.round(Math.min(5, Math.max(0, rating)) * 2) / 2).toFixed(1)

/** Memoizes a function of strings. The cache is cleared when it holds `maxEntries` results. */
function memoize(make: (text: string) => string, maxEntries = 4096): (text: string) => string {
  const results = new Map<string, string>()
  return text => {
    const known = results.get(text)
    if (known !== undefined) return known
    if (results.size >= maxEntries) results.clear()
    const value = flatten(make(text))
    results.set(text, value)
    return value
  }
}

/** Functions that return the absolute URL of an icon, by rating in half steps and by subrating type. */
interface IconUrls {
  readonly rating: (steps: string) => string
  readonly subrating: (type: string) => string
}

const iconUrls = new Map<string, IconUrls>()

function getIconUrls(publicUrl: string): IconUrls {
  const known = iconUrls.get(publicUrl)
  if (known) return known
  const urls = {
    rating: memoize(steps => `${publicUrl}/icons/ratings/${steps}.svg`),
    subrating: memoize(type => `${publicUrl}/icons/subratings/${type}.svg`),
  }
  iconUrls.set(publicUrl, urls)
  return urls
}

/** Returns the URL of a rating's icon. */
export const getRatingIconUrl = (publicUrl: string, rating: number): string =>
  getIconUrls(publicUrl).rating(toHalfSteps(rating))

/** Returns the URL of a subrating type's icon. */
export const getSubratingIconUrl = (publicUrl: string, type: string): string => getIconUrls(publicUrl).subrating(type)

/** Clock and time zones, with which presenters say whether a place is open. */
export interface Opening {
  nowMs(): number
  /** Returns the time zone at a position in degrees. */
  zoneAt(latitude: number, longitude: number): string
}

/** Settings and request data that presenters need in addition to the presented object. */
export interface PresentContext {
  /** Absolute URL without a trailing slash. */
  readonly publicUrl: string
  /** Requested locales in order of preference; empty for all. */
  readonly locales: readonly Locale[]
  /** Missing where records are presented without a request, as in feeds. */
  readonly opening?: Opening | undefined
}
