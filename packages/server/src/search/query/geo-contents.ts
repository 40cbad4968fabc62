import type { GeoContents, GeoQuery } from '../../domain/geo-contents.ts'
import type { Budget } from '../index/budget.ts'
import { type IndexView, isRankedBefore } from '../index/index-view.ts'
import { countLabelSets } from './category-counts.ts'
import { ancestorsOf, type GeoDocument } from './geo-ancestors.ts'
import { countryOf, geoLevel, regionOf, regionsOf } from './geo-levels.ts'
import { type GeoPart, geoParts } from './geo-parts.ts'
import { documentsIn } from './understand/place-documents.ts'
import { findPlace } from './understand/place-names.ts'
import type { ReadPlace } from './understand/read-place.ts'

/** Steps of a document in the place: its tests, its count and its level. */
const stepsPerPlace = 2

/** Returns what a city, region or country contains, within a budget; nothing if the index does not have it. */
export function geoContents(view: IndexView, query: GeoQuery, budget: Budget): GeoContents {
  const parts = geoParts(view, query.scope, budget)
  const own = findDocument(parts, query)
  const place = own && (wholeArea(own) ?? findPlace(view, { geoId: query.id }, budget))
  if (own === undefined || place === undefined)
    return { ancestors: [], counts: [], hits: [], total: 0, revision: view.revision }
  const listed = parts.map(one => listPart(one, place, own, budget))
  const children = directChildren(listed, own)
  budget.spend(children.length)
  // The prominence of areas of one level is in the order of their populations.
  children.sort((a, b) => a.level - b.level || (isRankedBefore(a.segment, a.doc, b.segment, b.doc) ? -1 : 1))
  const page = children.slice(query.offset, query.offset + query.limit)
  return {
    ancestors: ancestorsOf(parts, own, query.locale ?? 'en', budget),
    counts: countLabelSets(
      view,
      listed.map(({ places }) => places),
      budget,
    ),
    hits: page.map(({ segment, doc }) => ({ id: segment.arrays.id[doc]! })),
    total: children.length,
    revision: view.revision,
  }
}

function findDocument(parts: readonly GeoPart[], { id }: GeoQuery): GeoDocument | undefined {
  for (const { part, levels } of parts) {
    const doc = part.segment.find(id)
    if (doc < 0 || part.dead?.[doc] === 1) continue
    const level = levels.of(doc)
    return level === undefined ? undefined : { segment: part.segment, doc, level }
  }
  return undefined
}

/** Returns a country, or a region that the gazetteer has by its name, as a whole; undefined for other places. */
function wholeArea(own: GeoDocument): ReadPlace | undefined {
  const whole = { names: [], radiusKm: 0, popularity: 1 }
  const country = countryOf(own)
  if (own.level === geoLevel.country) return country === undefined ? undefined : { ...whole, country }
  const regions = own.level === geoLevel.region ? regionsOf(own) : []
  return regions.length === 0 ? undefined : { ...whole, regions }
}

/** The places of one part in a place: the number of each label set, and the areas among them. */
interface Listed {
  readonly places: Uint32Array
  readonly areas: readonly GeoDocument[]
}

function listPart({ part, levels, isListed }: GeoPart, place: ReadPlace, own: GeoDocument, budget: Budget): Listed {
  const { segment } = part
  const { labels, labelDocStart } = segment.arrays
  const places = new Uint32Array(labelDocStart.length - 1)
  const areas: GeoDocument[] = []
  const docs = documentsIn(part, place, budget)
  budget.require(docs.length * stepsPerPlace)
  for (const doc of docs) {
    budget.spend(stepsPerPlace)
    if (!isListed(doc) || (segment === own.segment && doc === own.doc)) continue
    places[labels[doc]!]!++
    const level = levels.of(doc)
    if (level !== undefined && level > own.level) areas.push({ segment, doc, level })
  }
  return { places, areas }
}

/**
 * Returns the areas directly in a place: regions in a country, counties and cities in a region, quarters in a city. A
 * country also has the counties and cities of regions that no location represents.
 */
function directChildren(listed: readonly Listed[], { level }: GeoDocument): GeoDocument[] {
  const areas = listed.flatMap(part => part.areas)
  if (level >= geoLevel.city) return areas
  if (level === geoLevel.county) return areas.filter(area => area.level === geoLevel.city)
  const isBelowRegion = (area: GeoDocument) => area.level === geoLevel.county || area.level === geoLevel.city
  if (level === geoLevel.region) return areas.filter(isBelowRegion)
  const top = level === geoLevel.continent ? geoLevel.country : geoLevel.region
  const regions = new Set(areas.filter(area => area.level === top).flatMap(regionsOf))
  return areas.filter(area => area.level === top || (isBelowRegion(area) && !regions.has(regionOf(area) ?? '')))
}
