import { chooseTexts } from '../../domain/locale.ts'
import type {
  Accommodation,
  Address,
  Award,
  Category,
  Location,
  LocationEntry,
  LocationRanking,
  Status,
} from '../../domain/location.ts'
import type { OpeningHours } from '../../domain/opening-hours.ts'
import { toLongJson } from '../../kit/long-json.ts'
import type { PresentContext } from '../primitives/format.ts'
import { labelled, priceLevelName, topLevelCategoryName } from './labels.ts'
import { createUrlIcons, travelerRatings } from './ratings.ts'
import { localizedText, plainText } from './text.ts'

/**
 * Presents a location in v2 (rulings: Operations). Members without a value are undefined, so JSON omits them.
 */
export function location(entry: LocationEntry, context: PresentContext) {
  const l = entry.location()
  const ratings = entry.ratings(l)
  return {
    id: toLongJson(entry.id),
    names: names(l, context),
    descriptions: descriptions(l, context),
    geo: l.geo,
    geo_id: longId(l.geoId),
    status: l.status && status(l.status),
    addresses: l.addresses?.map(address),
    coordinates: coordinates(l),
    categories: l.categories.map(category),
    attributes: l.attributes?.map(a => ({ id: a.id, name: a.name, type: a.type, type_id: a.typeId })),
    opening_hours: l.openingHours && openingHours(l.openingHours),
    phone_numbers: l.phoneNumbers?.map(p => ({ type: p.type, value: p.value })),
    official_email: l.officialEmail,
    urls: urls(l),
    price_level: l.priceLevel && labelled(l.priceLevel, priceLevelName),
    accommodation: l.accommodation && accommodation(l.accommodation),
    recommended_visit_length: l.recommendedVisitLength,
    photos: l.photos && { total_count: l.photos.totalCount },
    attributions: l.attributions?.map(a => ({ source: a.source, license: a.license, url: a.url })),
    neighborhoods: l.neighborhoods?.map(n => ({ geo_id: longId(n.geoId), name: n.name })),
    awards: l.awards?.map(award),
    rankings: l.rankings?.map(ranking),
    traveler_ratings: ratings && travelerRatings(ratings, createUrlIcons(context.publicUrl)),
    external_ids: l.externalIds?.map(x => ({ source: x.source, id: x.id })),
  }
}

/** Presents an id inside a record: decimal text in the canonical model, a number in JSON. */
export const longId = (id: string | undefined) => (id === undefined ? undefined : toLongJson(BigInt(id)))

/** Presents the names in the requested locales. */
export const names = (l: Location, context: PresentContext) => chooseTexts(l.names, context.locales).map(localizedText)

/** Presents the descriptions in the requested locales. */
export const descriptions = (l: Location, context: PresentContext) =>
  l.descriptions && chooseTexts(l.descriptions, context.locales).map(plainText)

export const urls = (l: Location) => l.urls && { official: l.urls.official, menu: l.urls.menu }

/** Presents the status (SPEC §2.1). */
export const status = (s: Status) => ({ value: s.value, closed_date: s.closedDate, reopen_date: s.reopenDate })

export const coordinates = (l: Location) => ({ latitude: l.coordinates.latitude, longitude: l.coordinates.longitude })

export const address = (a: Address) => ({
  language: a.language,
  street_address: a.streetAddress,
  street_address2: a.streetAddress2,
  city: a.city,
  state: a.state,
  postal_code: a.postalCode,
  country_name: a.countryName,
  country_code: a.countryCode,
  formatted: a.formatted,
})

export const category = (c: Category) => ({
  id: c.id,
  display_name: c.displayName,
  hierarchy: c.hierarchy,
  top_level_category: labelled(c.topLevelCategory, topLevelCategoryName),
})

const openingHours = (h: OpeningHours) => ({
  periods: h.periods?.map(p => ({ day_of_week: p.dayOfWeek, opens: p.opens, closes: p.closes })),
  special_days: h.specialDays?.map(d => ({ date: d.date, opens: d.opens, closes: d.closes })),
  formatted: h.formatted,
  timezone: h.timezone,
})

const accommodation = (a: Accommodation) => ({
  brand: a.brand,
  chain: a.chain,
  star_rating: a.starRating,
  room_count: a.roomCount,
  prices: a.prices?.map(p => ({ currency: p.currency, min_rate: p.minRate, max_rate: p.maxRate })),
})

const award = (a: Award) => ({
  type: a.type,
  name: a.name,
  category: a.category,
  geo: a.geo,
  year: a.year,
  image: a.image && { key: a.image.key, url: a.image.url },
})

const ranking = (r: LocationRanking) => ({
  rank: r.rank,
  total: r.total,
  category: r.category,
  geo: r.geo,
  geo_id: longId(r.geoId),
  display_text: r.displayText,
})
