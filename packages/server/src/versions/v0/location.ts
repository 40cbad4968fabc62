import { chooseTexts } from '../../domain/locale.ts'
import type {
  Accommodation,
  Address,
  Award,
  Category,
  ImageUrl,
  Location,
  LocationEntry,
  LocationRanking,
  Status,
} from '../../domain/location.ts'
import type { OpeningHours } from '../../domain/opening-hours.ts'
import { toLongJson } from '../../kit/long-json.ts'
import type { PresentContext } from '../primitives/format.ts'
import { list, orEmpty, orNull } from './absent.ts'
import { createUrlIcon, travelerRatings } from './ratings.ts'
import { formatLocale, localizedText, plainText } from './text.ts'

/** Presents a location in v0 (SPEC §2.1, §9.5). Every member is present; members without a value are null or empty. */
export function location(entry: LocationEntry, context: PresentContext) {
  const l = entry.location()
  return {
    id: toLongJson(entry.id),
    names: names(l, context),
    descriptions: list(l.descriptions && chooseTexts(l.descriptions, context.locales), plainText),
    geo: orNull(l.geo),
    geo_id: longId(l.geoId),
    status: orEmpty(l.status, status),
    addresses: list(l.addresses, address),
    coordinates: coordinates(l),
    categories: list(l.categories, category),
    attributes: list(l.attributes, a => ({ id: a.id, name: a.name, type: orNull(a.type), type_id: orNull(a.typeId) })),
    opening_hours: orEmpty(l.openingHours, openingHours),
    phone_numbers: list(l.phoneNumbers, p => ({ type: orNull(p.type), value: p.value })),
    official_email: orNull(l.officialEmail),
    urls: orEmpty(l.urls, u => ({ official: orNull(u.official), menu: orNull(u.menu) })),
    price_level: orNull(l.priceLevel),
    accommodation: orEmpty(l.accommodation, accommodation),
    recommended_visit_length: orNull(l.recommendedVisitLength),
    photos: orEmpty(l.photos, p => ({ total_count: p.totalCount })),
    attributions: list(l.attributions, a => ({
      source: orNull(a.source),
      license: orNull(a.license),
      url: orNull(a.url),
    })),
    neighborhoods: list(l.neighborhoods, n => ({ geo_id: longId(n.geoId), name: n.name })),
    awards: list(l.awards, award),
    rankings: list(l.rankings, ranking),
    traveler_ratings: orEmpty(entry.ratings(l), r => travelerRatings(r, createUrlIcon(context.publicUrl))),
    external_ids: list(l.externalIds, x => ({ source: x.source, id: x.id })),
  }
}

/** Presents an id inside a record as a number, null when absent. In v0 only review ids are strings. */
export const longId = (id: string | undefined) => (id === undefined ? null : toLongJson(BigInt(id)))

/** Presents the names in the requested locales. */
export const names = (l: Location, context: PresentContext) =>
  list(chooseTexts(l.names, context.locales), localizedText)

/** Presents the status. In v0 `value` is a free-form string with the same values (SPEC §9.5). */
export const status = (s: Status) => ({
  value: s.value as string,
  closed_date: orNull(s.closedDate),
  reopen_date: orNull(s.reopenDate),
})

export const coordinates = (l: Location) => ({ latitude: l.coordinates.latitude, longitude: l.coordinates.longitude })

export const address = (a: Address) => ({
  language: formatLocale(a.language),
  street_address: orNull(a.streetAddress),
  street_address2: orNull(a.streetAddress2),
  city: orNull(a.city),
  state: orNull(a.state),
  postal_code: orNull(a.postalCode),
  country_name: orNull(a.countryName),
  country_code: orNull(a.countryCode),
  formatted: orNull(a.formatted),
})

export const category = (c: Category) => ({
  id: c.id,
  display_name: c.displayName,
  hierarchy: list(c.hierarchy, name => name),
  top_level_category: c.topLevelCategory,
})

export const image = (i: ImageUrl) => ({ key: orNull(i.key), url: orNull(i.url) })

const openingHours = (h: OpeningHours) => ({
  periods: list(h.periods, p => ({ day_of_week: p.dayOfWeek, opens: p.opens, closes: p.closes })),
  special_days: list(h.specialDays, d => ({ date: d.date, opens: orNull(d.opens), closes: orNull(d.closes) })),
  formatted: list(h.formatted, line => line),
  timezone: orNull(h.timezone),
})

const accommodation = (a: Accommodation) => ({
  brand: orNull(a.brand),
  chain: orNull(a.chain),
  star_rating: orNull(a.starRating),
  room_count: orNull(a.roomCount),
  prices: list(a.prices, p => ({
    currency: orNull(p.currency),
    min_rate: orNull(p.minRate),
    max_rate: orNull(p.maxRate),
  })),
})

const award = (a: Award) => ({
  type: orNull(a.type),
  name: orNull(a.name),
  category: orNull(a.category),
  geo: orNull(a.geo),
  year: orNull(a.year),
  image: orEmpty(a.image, image),
})

const ranking = (r: LocationRanking) => ({
  rank: orNull(r.rank),
  total: orNull(r.total),
  category: orNull(r.category),
  geo: orNull(r.geo),
  geo_id: longId(r.geoId),
  display_text: orNull(r.displayText),
})
