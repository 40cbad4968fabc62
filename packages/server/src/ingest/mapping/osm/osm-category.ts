import { categoryDisplayName, findTopLevelCategory, type TopLevelCategory } from '../../../domain/category.ts'
import type { NestedCategory } from '../category-path.ts'

export type Tags = Readonly<Record<string, string>>

/** Returns the tags of an element in JSON: numbers become texts, and values of other types are left out. */
export function toTags(value: unknown): Tags {
  const tags: Record<string, string> = {}
  if (typeof value !== 'object' || value === null) return tags
  for (const [name, tag] of Object.entries(value))
    if (typeof tag === 'string' || typeof tag === 'number') tags[name] = String(tag)
  return tags
}

/** Splits the values of a tag at semicolons. */
export const splitValues = (text: string | undefined): string[] =>
  (text ?? '')
    .split(';')
    .map(part => part.trim())
    .filter(part => part !== '')

/**
 * Keys of tags that make an element a place (wiki.openstreetmap.org/wiki/Map_features), the most specific first, and
 * the branch of their values that the category tree lacks.
 */
const keys: readonly (readonly [key: string, branch?: TopLevelCategory])[] = [
  ['aeroway', 'TRANSPORT'],
  ['railway', 'TRANSPORT'],
  ['tourism', 'ATTRACTION'],
  ['amenity'],
  ['leisure'],
  ['shop'],
  ['historic', 'ATTRACTION'],
  ['natural', 'ATTRACTION'],
  ['waterway'],
  ['public_transport', 'TRANSPORT'],
  ['place', 'GEO'],
  ['man_made'],
  ['craft'],
  ['office'],
  ['healthcare'],
]

/** Categories of the tree, by tag, where the value is not the category id. `*` is any other value. */
const categories: Readonly<Record<string, string>> = {
  'aeroway=aerodrome': 'airport',
  'aeroway=helipad': 'heliport',
  'railway=station': 'railway_station',
  'railway=halt': 'railway_station',
  'public_transport=station': 'transit_station',
  'tourism=guest_house': 'guesthouse',
  'tourism=caravan_site': 'campground',
  'tourism=alpine_hut': 'lodging',
  'tourism=wilderness_hut': 'lodging',
  'amenity=biergarten': 'beer_garden',
  'amenity=taxi': 'taxi_stand',
  'amenity=love_hotel': 'hotel',
  'amenity=arts_centre': 'attraction',
  'amenity=planetarium': 'attraction',
  'leisure=nature_reserve': 'park',
  'shop=coffee': 'coffee_shop',
  'shop=tea': 'tea_house',
  'historic=manor': 'palace',
  'historic=*': 'historic_site',
  'natural=*': 'natural_feature',
}

/** Values that say little: another tag of the element decides. */
const weak = new Set([
  'tourism=attraction',
  'tourism=information',
  'historic=yes',
  'tourism=yes',
  'public_transport=station',
])

/** Values of ways and lines that are not places. */
const noPlaces =
  /^(natural=(tree|tree_row|coastline|scrub|grassland|wood)|waterway=(?!waterfall)|railway=(?!station|halt|tram_stop|subway|light_rail|funicular)|aeroway=(?!aerodrome|heliport|helipad|terminal)|public_transport=(?!station)|man_made=(?!lighthouse|tower|observatory|bridge))/

const religions: Readonly<Record<string, string>> = {
  christian: 'church',
  muslim: 'mosque',
  hindu: 'temple',
  buddhist: 'temple',
  shinto: 'temple',
  taoist: 'temple',
  sikh: 'temple',
}

/** Prefixes of tags of places that no longer exist (wiki.openstreetmap.org/wiki/Lifecycle_prefix). */
export const pastPrefixes = [
  'disused',
  'abandoned',
  'was',
  'closed',
  'demolished',
  'razed',
  'removed',
  'destroyed',
] as const

/** Categories of an element, and whether all of them are past. */
export interface OsmCategories {
  readonly categories: readonly NestedCategory[]
  readonly isPast: boolean
}

/**
 * Returns the categories of an element; undefined if it is no place. Tags with a prefix of the past count only if no
 * others do.
 */
export function findCategories(tags: Tags): OsmCategories | undefined {
  const present = readTags(tags, '')
  if (present.length > 0) return { categories: present, isPast: false }
  for (const prefix of pastPrefixes) {
    const past = readTags(tags, `${prefix}:`)
    if (past.length > 0) return { categories: past, isPast: true }
  }
  return undefined
}

function readTags(tags: Tags, prefix: string): NestedCategory[] {
  const found: { category: NestedCategory; isWeak: boolean }[] = []
  for (const [key, branch] of keys) {
    const value = splitValues(tags[prefix + key])[0]
    if (!value || value === 'no') continue
    const tag = `${key}=${value}`
    if (noPlaces.test(tag)) continue
    found.push({ category: toCategory(key, idOf(key, value, tags), branch), isWeak: weak.has(tag) })
  }
  return found.sort((a, b) => Number(a.isWeak) - Number(b.isWeak)).map(({ category }) => category)
}

function idOf(key: string, value: string, tags: Tags): string {
  if (key === 'place') return `geo:${value}`
  if (key === 'railway' && tags.station === 'subway') return 'metro_station'
  if (value === 'place_of_worship') {
    if (tags.building === 'cathedral') return 'cathedral'
    return religions[tags.religion ?? ''] ?? value
  }
  if (value === 'yes') return key
  const id = categories[`${key}=${value}`]
  return id ?? (findTopLevelCategory(value) ? value : (categories[`${key}=*`] ?? value))
}

const toCategory = (key: string, id: string, branch: TopLevelCategory | undefined): NestedCategory => ({
  id,
  display_name: categoryDisplayName(id),
  hierarchy: [categoryDisplayName(key), categoryDisplayName(id)],
  top_level_category: findTopLevelCategory(id) ?? branch,
})
