import type { GeoAncestor } from '../../domain/geo-contents.ts'
import { nameRegion } from '../../gazetteer/regions.ts'
import { tokens } from '../../kit/tokens.ts'
import type { Budget } from '../index/budget.ts'
import { isRankedBefore } from '../index/index-view.ts'
import { listNameTexts } from '../index/name-texts.ts'
import { unitsPerDegree } from '../index/regions.ts'
import { countryOf, geoLevel, regionOf, regionsOf, type SegmentDocument } from './geo-levels.ts'
import type { GeoPart } from './geo-parts.ts'
import { nameCountry } from './name-country.ts'
import { cityOf } from './secondary-text.ts'
import { geosNamed } from './understand/place-names.ts'

/** A GEO document with its level. */
export interface GeoDocument extends SegmentDocument {
  readonly level: number
}

/** Returns the country, the region and the city that a place is in, with their locations within the scope. */
export function ancestorsOf(
  parts: readonly GeoPart[],
  own: GeoDocument,
  locale: string,
  budget: Budget,
): readonly GeoAncestor[] {
  const [country, region] = [countryOf(own), regionOf(own)]
  const ancestors: GeoAncestor[] = []
  if (country !== undefined && own.level > geoLevel.country) {
    const found = findArea(parts, geoLevel.country, area => countryOf(area) === country, budget)
    ancestors.push({ type: 'country', ...idOf(found), name: nameCountry(country, locale), code: country })
  }
  if (country !== undefined && region !== undefined && own.level > geoLevel.region) {
    const has = (area: SegmentDocument) => countryOf(area) === country && regionsOf(area).includes(region)
    ancestors.push(describeRegion(findArea(parts, geoLevel.region, has, budget), region))
  }
  const city = own.level === geoLevel.quarter ? cityOf(own.segment, own.doc) : ''
  if (city !== '') ancestors.push({ type: 'city', ...idOf(findCity(parts, city, own, budget)), name: city })
  return ancestors
}

/** Describes a region by its location, which may consist of several regions, or else by its code. */
function describeRegion(found: SegmentDocument | undefined, code: string): GeoAncestor {
  const name = found && listNameTexts(found.segment.arrays, found.segment.facts.languages, found.doc, 1)[0]?.value
  if (found === undefined || name === undefined) return { type: 'region', name: nameRegion(code) ?? code, code }
  return { type: 'region', ...idOf(found), name, ...(regionsOf(found).length === 1 && { code }) }
}

const idOf = (found: SegmentDocument | undefined): Pick<GeoAncestor, 'id'> =>
  found ? { id: found.segment.arrays.id[found.doc]! } : {}

/** Finds the best known area of a level that passes a test. */
function findArea(
  parts: readonly GeoPart[],
  level: number,
  passes: (area: SegmentDocument) => boolean,
  budget: Budget,
): SegmentDocument | undefined {
  const found = parts.flatMap(({ part: { segment }, levels, isListed }) =>
    levels.all(level, doc => isListed(doc) && passes({ segment, doc }), budget).map(doc => ({ segment, doc })),
  )
  return found.sort((a, b) => (isRankedBefore(a.segment, a.doc, b.segment, b.doc) ? -1 : 1))[0]
}

/** Finds the city with a name close to a document. */
function findCity(
  parts: readonly GeoPart[],
  name: string,
  own: SegmentDocument,
  budget: Budget,
): SegmentDocument | undefined {
  const { latitude, longitude } = own.segment.arrays
  const near = { latitude: latitude[own.doc]! / unitsPerDegree, longitude: longitude[own.doc]! / unitsPerDegree }
  return geosNamed(parts[0]!.view, tokens(name), budget, { near }).find(({ segment, doc }) => {
    const { levels, isListed } = parts.find(({ part }) => part.segment === segment)!
    return isListed(doc) && levels.of(doc) === geoLevel.city
  })
}
