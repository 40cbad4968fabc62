import { countryNames, useCountryNames } from './countries.ts'
import { type RegionTable, regionTable, useRegionTable } from './regions.ts'

/** Names of countries and regions, which threads share. */
export interface PlaceNames {
  readonly countries: ReadonlyMap<string, string>
  readonly regions: RegionTable
}

/** Returns the names of countries and regions; the first call takes about 200 ms to collect them. */
export const placeNames = (): PlaceNames => ({ countries: countryNames(), regions: regionTable() })

/** Uses names that another thread has collected. */
export function usePlaceNames({ countries, regions }: PlaceNames): void {
  useCountryNames(countries)
  useRegionTable(regions)
}
