import type { LocalText, Location, PriceLevel, Status } from '../domain/location.ts'
import { type LocalMoment, type OpeningState, openingStateOf } from '../domain/opening-state.ts'
import type { RatingSummary } from '../domain/ratings.ts'
import type { Point } from '../domain/search.ts'
import { distanceKm } from '../kit/great-circle.ts'
import { type Html, html } from './html.ts'
import { badge } from './parts/notice.ts'
import { formatCount } from './parts/number.ts'

/** Returns a text with its language, for screen readers and fonts. */
export const localText = ({ language, value }: LocalText): Html =>
  language === undefined ? html`${value}` : html`<span lang="${language}">${value}</span>`

/** Returns the primary name of a place. */
export const nameOf = ({ names }: Location): LocalText =>
  names.find(({ primary }) => primary) ?? names[0] ?? { value: 'Place without a name' }

/** Returns the category that describes a place best: "Museum". */
export const categoryOf = ({ categories }: Location): string | undefined => categories[0]?.displayName

/** Returns street, city and country of a place, as far as known. */
export function addressOf({ addresses = [], geo }: Location): string {
  const { streetAddress, city, state, countryName, countryCode } = addresses[0] ?? {}
  return [streetAddress, city ?? geo ?? state, countryName ?? countryCode].filter(Boolean).join(', ')
}

/** Returns a rating as text: "4.5 of 5, 640 reviews"; undefined without a rating. */
export function ratingText(ratings: RatingSummary | undefined): string | undefined {
  const { rating, count: reviews } = ratings?.overall ?? {}
  if (rating === undefined) return undefined
  return `${rating.toFixed(1)} of 5${reviews === undefined ? '' : `, ${formatCount(reviews, 'review')}`}`
}

/** Returns a badge for a place that is not in business; nothing for others, because that does not mean open now. */
export function closureBadge(status: Status | undefined): Html | undefined {
  if (status?.value === 'CLOSED') return badge('bad', 'Permanently closed')
  return status?.value === 'TEMPORARILY_CLOSED' ? badge('warn', 'Temporarily closed') : undefined
}

export const priceNames: Readonly<Record<PriceLevel, string>> = {
  CHEAP: 'Cheap',
  MODERATE: 'Moderate',
  EXPENSIVE: 'Expensive',
  LUXURY: 'Luxury',
}

/** Returns the time zone at a position in degrees. */
export type ZoneAt = (latitude: number, longitude: number) => string

/**
 * Returns "Open until 20:00" or "Opens tomorrow 10:00"; undefined if the hours are unknown or the place is not in
 * business.
 */
export function openingText(location: Location, zoneAt: ZoneAt, nowMs: number): string | undefined {
  const { openingHours, timezone, coordinates, status } = location
  if (status !== undefined && status.value !== 'OPEN') return undefined
  const zone = openingHours?.timezone ?? timezone
  const state = openingStateOf(openingHours, zone, () => zoneAt(coordinates.latitude, coordinates.longitude), nowMs)
  return state && stateText(state)
}

/** Returns the words for an opening state. */
export function stateText(state: OpeningState): string {
  if (state.isOpen) return state.closes ? `Open until ${clockText(state.closes.minute)}` : 'Open around the clock'
  return state.opens ? `Opens ${dayText(state.opens)}${clockText(state.opens.minute)}` : 'Closed'
}

const clockText = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

const weekdays = ['Thursday', 'Friday', 'Saturday', 'Sunday', 'Monday', 'Tuesday', 'Wednesday']

/** Returns the day of a moment, with a trailing space: "tomorrow ", "Monday ", "24 December "; empty for today. */
function dayText({ day, inDays }: LocalMoment): string {
  if (inDays === 0) return ''
  if (inDays === 1) return 'tomorrow '
  // 1970-01-01 was a Thursday.
  if (inDays < 7) return `${weekdays[day % 7]} `
  const date = new Date(day * 86_400_000)
  return `${date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })} `
}

/** Returns a distance as text: "350 m", "1.4 km". */
export const distanceText = (km: number): string =>
  km < 1 ? `${Math.max(10, Math.round(km * 100) * 10)} m` : `${km < 100 ? km.toFixed(1) : Math.round(km)} km`

/** Returns the great-circle distance of two points in kilometres. */
export const kilometresBetween = (a: Point, b: Point): number =>
  distanceKm(a.latitude, a.longitude, b.latitude, b.longitude)

/** Returns the English one of the texts in several languages, otherwise the first. */
export const englishOrFirst = (texts: readonly LocalText[] = []): LocalText | undefined =>
  texts.find(({ language }) => language?.startsWith('en')) ?? texts[0]

/** Returns an address that a link may lead to; undefined for other schemes than http and https. */
export const webLink = (url: string | undefined): string | undefined =>
  url !== undefined && /^https?:\/\/\S+$/i.test(url) ? url : undefined
