/** Countries whose own codes are also regions of another country in ISO 3166-2: `FR-RE` is `RE`, too. */
const dependencies: Readonly<Record<string, readonly string[]>> = {
  CN: ['HK', 'MO', 'TW'],
  FR: ['BL', 'GF', 'GP', 'MF', 'MQ', 'NC', 'PF', 'PM', 'RE', 'TF', 'WF', 'YT'],
  NL: ['AW', 'BQ', 'CW', 'SX'],
  US: ['AS', 'GU', 'MP', 'PR', 'UM', 'VI'],
}

/** Returns the country of a region, given by its ISO 3166-2 code. */
export function countryOfRegion(region: string): string {
  const [country, part] = [region.slice(0, 2), region.slice(3)]
  return dependencies[country]?.includes(part) ? part : country
}

/** Returns true if a region, given by its ISO 3166-2 code, belongs to a country. */
export function isRegionOf(region: string, country: string): boolean {
  if (region.startsWith(country)) return true
  return region.endsWith(country) && dependencies[region.slice(0, 2)]?.includes(region.slice(3)) === true
}
