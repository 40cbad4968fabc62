import { topLevelCategories } from '../../domain/category.ts'
import { regionsOfWord } from '../../gazetteer/regions.ts'
import type { Budget } from '../index/budget.ts'
import type { Segment } from '../index/segment.ts'
import { labelSetsOf } from './label-sets.ts'
import { placeOf } from './understand/place-names.ts'

/** Levels of areas, the largest first. */
export const geoLevel = { continent: 0, country: 1, region: 2, county: 3, city: 4, quarter: 5 } as const

/** Types of GEO of each level except that of cities, which all other types have. */
const typesOf: readonly (readonly [number, string])[] = [
  [geoLevel.quarter, 'suburb borough neighbourhood quarter'],
  [geoLevel.county, 'county macrocounty district island'],
  [geoLevel.region, 'region state province macroregion'],
  [geoLevel.country, 'country'],
  [geoLevel.continent, 'continent'],
]

const geo = topLevelCategories.indexOf('GEO')

/** A document of a segment. */
export interface SegmentDocument {
  readonly segment: Segment
  readonly doc: number
}

/** Returns the ISO 3166-1 code of the country of a document. */
export const countryOf = ({ segment: { arrays, facts }, doc }: SegmentDocument): string | undefined =>
  facts.countries[arrays.country[doc]! - 1]

/** Returns the ISO 3166-2 code of the region of a document. */
export const regionOf = ({ segment: { arrays, facts }, doc }: SegmentDocument): string | undefined =>
  facts.regions[arrays.region[doc]! - 1]

/** Returns the codes of the regions that a region consists of, by its name: one, or several as for Catalonia. */
export function regionsOf(area: SegmentDocument): readonly string[] {
  const [country, region] = [countryOf(area), regionOf(area)]
  if (country === undefined || region === undefined) return []
  const named = placeOf(area.segment, area.doc).names.flatMap(words => regionsOfWord(words.join(' '), country))
  return named.includes(region) ? named : []
}

/** Levels of the GEO documents of one segment. */
export class GeoLevels {
  readonly #segment: Segment
  /** Level of each label set with one of the types; the largest area counts. */
  readonly #levels = new Map<number, number>()

  constructor(segment: Segment, budget: Budget) {
    this.#segment = segment
    for (const [level, types] of typesOf) {
      const ids = types.split(' ').map(type => `geo:${type}`)
      for (const set of labelSetsOf(segment, ids, budget)) this.#levels.set(set, level)
    }
  }

  /** Returns the level of a document; undefined for one that is not a GEO document. */
  of(doc: number): number | undefined {
    const { category, labels } = this.#segment.arrays
    return category[doc] === geo ? (this.#levels.get(labels[doc]!) ?? geoLevel.city) : undefined
  }

  /** Returns the documents of a level above that of cities that pass a test. */
  all(level: number, passes: (doc: number) => boolean, budget: Budget): number[] {
    const { docStart, docs } = this.#segment.labels
    const found: number[] = []
    for (const [set, of] of this.#levels) {
      if (of !== level) continue
      budget.spend((docStart[set + 1]! - docStart[set]!) / 2)
      for (let at = docStart[set]!; at < docStart[set + 1]!; at++) {
        const doc = docs[at]!
        if (this.of(doc) === level && passes(doc)) found.push(doc)
      }
    }
    return found.sort((a, b) => a - b)
  }
}
