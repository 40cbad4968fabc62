import type { Wanted, WordTerms } from './matcher.ts'
import type { NameScope } from './understand/reading.ts'

/** Returns what the words of a reading may match next to names. */
export function wantedBy(words: readonly WordTerms[], isSingleName: boolean, scope: NameScope): Wanted {
  // The whole query may be the name of one country or region; "New York, New York" is a city and its state.
  const isOneName = !words.every(({ word }) => words.filter(other => other.word.text === word.text).length > 1)
  const areCountries = isOneName && words.every(({ word }) => word.country !== undefined)
  const regions = words[0]?.word.regions
  const isRegion = isOneName && regions !== undefined && words.every(({ word }) => word.regions === regions)
  const isAll = scope === 'all'
  return {
    areas: isAll && !isSingleName,
    country: isAll && !isSingleName && !areCountries,
    regions: isAll && !isSingleName && !isRegion,
    labels: isAll,
  }
}
