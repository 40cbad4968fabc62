import type { Location } from '../../domain/location.ts'

/** Fields of a location that show how notable it is, and how complete its record is. */
export type NotableFields = Pick<
  Location,
  | 'names'
  | 'descriptions'
  | 'categories'
  | 'externalIds'
  | 'awards'
  | 'photos'
  | 'accommodation'
  | 'openingHours'
  | 'phoneNumbers'
  | 'urls'
  | 'priceLevel'
>

/** Share of each fact in the notability. */
const part = {
  heritage: 0.52,
  languages: 0.35,
  reference: 0.12,
  description: 0.12,
  landmark: 0.08,
  internationalAirport: 0.12,
  photos: 0.06,
  award: 0.06,
  fiveStars: 0.06,
} as const

/** Maximum notability: that of a city of a million people on the scale of populations. */
const maxNotability = 0.72
/** Number of further languages from which the names of a place count in full. */
const manyLanguages = 60
/** Lengths in characters from which a description counts, and from which it counts in full. */
const descriptionLength = { min: 200, max: 4000 } as const
/** Number of languages of the names of a complete record. */
const completeLanguages = 3
/** Number of facts that `completenessOf` looks for. */
const completeFacts = 8

const landmarks = new Set(['museum', 'castle', 'cathedral', 'monument', 'bridge', 'tower'])
const heritageName = /world heritage/i
/** Names of airports with flights to other countries, in several languages. */
const internationalName =
  /\b(inter(nat(ion|ț)|nac|naz)|intl\b|uluslararas|mi[eę]dzynarodow|mezin[aá]rodn|nemzetk[oö]zi|kansainv[aä]linen)|международн|国际|國際|国際|국제|دولي/iu
/** Sources of external ids that are articles or entries of an encyclopaedia. */
const referenceSource = /^(wikidata|wikipedia|wd:id|wk:page)$/i

/** Returns the members of a document that its prominence depends on. */
export const prominenceFacts = (fields: NotableFields, hasRating: boolean) => ({
  notability: notabilityOf(fields),
  completeness: completenessOf(fields, hasRating),
})

/**
 * Returns the notability of a place, 0 to `maxNotability`, from facts that only well-known places have. They
 * combine as independent probabilities.
 */
export function notabilityOf(fields: NotableFields): number {
  const { externalIds = [], awards = [], photos, accommodation } = fields
  const ids = fields.categories.map(({ id }) => id)
  const heritage = ids.includes('world_heritage') || awards.some(isHeritage)
  const further = Math.min(manyLanguages, Math.max(0, languagesOf(fields) - 1))
  const shares: readonly number[] = [
    heritage ? part.heritage : 0,
    (part.languages * Math.log(1 + further)) / Math.log(1 + manyLanguages),
    externalIds.some(({ source }) => referenceSource.test(source)) ? part.reference : 0,
    part.description * shareOfDescription(fields),
    isLandmark(ids, externalIds) ? part.landmark : 0,
    isInternationalAirport(ids, fields) ? part.internationalAirport : 0,
    (photos?.totalCount ?? 0) > 0 ? part.photos : 0,
    awards.some(award => !isHeritage(award)) ? part.award : 0,
    (accommodation?.starRating ?? 0) >= 5 ? part.fiveStars : 0,
  ]
  return Math.min(maxNotability, 1 - shares.reduce((rest, share) => rest * (1 - share), 1))
}

/**
 * Returns the completeness of a record, 0 to 1: the share of facts that it has, among description, opening hours, phone
 * number, website, photos, price, rating and names in three languages.
 */
export function completenessOf(fields: NotableFields, hasRating: boolean): number {
  const facts = [
    (fields.descriptions?.length ?? 0) > 0,
    fields.openingHours !== undefined,
    (fields.phoneNumbers?.length ?? 0) > 0,
    fields.urls?.official !== undefined,
    (fields.photos?.totalCount ?? 0) > 0,
    fields.priceLevel !== undefined || (fields.accommodation?.prices?.length ?? 0) > 0,
    hasRating,
    languagesOf(fields) >= completeLanguages,
  ]
  return facts.filter(Boolean).length / completeFacts
}

const isHeritage = ({ name = '', type = '' }: { readonly name?: string; readonly type?: string }): boolean =>
  heritageName.test(name) || heritageName.test(type)

type ExternalIds = readonly { readonly source: string }[]

const isLandmark = (ids: readonly string[], externalIds: ExternalIds): boolean =>
  ids.some(id => landmarks.has(id)) || isAirport(ids, externalIds)

/** Returns true for an airport with scheduled flights, which alone have a code of IATA. */
const isAirport = (ids: readonly string[], externalIds: ExternalIds): boolean =>
  ids.includes('airport') && externalIds.some(({ source }) => source.toLowerCase() === 'iata')

/** Returns true for an airport whose name says that it is international: of several in a city, it is the main one. */
const isInternationalAirport = (ids: readonly string[], { names, externalIds = [] }: NotableFields): boolean =>
  isAirport(ids, externalIds) && names.some(({ value }) => internationalName.test(value))

/** Counts the languages of the names. */
const languagesOf = ({ names }: NotableFields): number =>
  new Set(names.flatMap(({ language }) => (language === undefined ? [] : [language]))).size

/** Returns the share of the longest description in a long one, on a logarithmic scale. */
function shareOfDescription({ descriptions = [] }: NotableFields): number {
  const { min, max } = descriptionLength
  const longest = descriptions.reduce((most, { value }) => Math.max(most, value.length), 0)
  return Math.min(1, Math.max(0, Math.log(Math.max(1, longest) / min) / Math.log(max / min)))
}
