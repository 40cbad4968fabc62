import type { Locale } from '../../domain/locale.ts'
import { nameRegion, regionsOfWord } from '../../gazetteer/regions.ts'
import { fold } from '../../kit/fold.ts'
import { tokens } from '../../kit/tokens.ts'
import type { Segment } from '../index/segment.ts'
import { nameCountry } from './name-country.ts'

const decoder = new TextDecoder()

/**
 * Returns city, state and country of a document, without those that its name repeats: `Halifax, Nova Scotia, Canada`.
 * A state that the record lacks, or has as a code, has its English name.
 */
export function secondaryText({ arrays, facts }: Segment, doc: number, name: string, locale: Locale = 'en'): string {
  const country = facts.countries[arrays.country[doc]! - 1]
  const region = facts.regions[arrays.region[doc]! - 1]
  const areas = withRegion(name, localityOf(arrays, doc), { country, region })
  const known = new Set(['', fold(name)])
  const shown = [...areas, country === undefined ? '' : nameCountry(country, locale)].filter(part => {
    const folded = fold(part)
    const isNew = !known.has(folded)
    known.add(folded)
    return isNew
  })
  return shown.join(', ')
}

/** Returns the city of a document as its record has it; empty if it has none. */
export const cityOf = ({ arrays }: Segment, doc: number): string => localityOf(arrays, doc)[0] ?? ''

/** Returns the city and the state of a document as they are shown. */
function localityOf({ area, areaLabelStart, areaLabels }: Segment['arrays'], doc: number): readonly string[] {
  const [from, end] = [areaLabelStart[area[doc]!]!, areaLabelStart[area[doc]! + 1]!]
  return decoder.decode(areaLabels.slice(from, end)).split('\n')
}

interface Codes {
  readonly country: string | undefined
  readonly region: string | undefined
}

/** Adds the name of a region to the names of areas, unless one of them or the name of the place is the region's. */
function withRegion(name: string, areas: readonly string[], { country, region }: Codes): readonly string[] {
  const regionName = region === undefined ? undefined : nameRegion(region)
  if (country === undefined || region === undefined || regionName === undefined) return areas
  const isRegion = (text: string) => regionsOfWord(tokens(text).join(' '), country).includes(region)
  if (isRegion(name)) return areas
  const own = areas.findIndex(isRegion)
  if (own < 0) return [...areas, regionName]
  return isCode(areas[own]!) ? areas.with(own, regionName) : areas
}

const isCode = (text: string): boolean => /^[A-Z]{2,3}$/.test(text)
