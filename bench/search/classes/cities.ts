import { readCountryAliases, readNicknames, readRegions } from '../oracles/read.ts'
import { isSettlement, type Known, kilometres, plain, shareName } from './known.ts'
import { byRank, type Maker, type Makers, type Pick, pickFrom, type Random } from './trial.ts'
import type { World } from './world.ts'

/** Languages that people write the names of regions and countries in. */
const languages = ['en', 'es', 'fr', 'de', 'it', 'pt', 'nl', 'pl', 'sv', 'tr', 'ru', 'zh', 'ja', 'ko', 'ar']
/** Countries whose states are written as codes behind a city, and the share of each. */
const codeCountries = 'US US US US US US CA AU BR CH'.split(' ')
/** A larger place of the same name must have at most this share of the people, so that it is clear which is meant. */
const unmistakable = 0.5
const minPopulation = 1000

/** Sources place the centre of a large city up to this far from each other. */
const centreKm = ({ population }: Known): number => (population >= 500_000 ? 25 : 10)

/** Accepts the city itself, also from another source, but no county, region or station of its name. */
export const cityGrade = (wanted: Known) =>
  byRank(found => isSettlement(found) && kilometres(wanted, found) < centreKm(wanted) && shareName(wanted, found))

/** Returns the cities without a namesake of more than half their size in the same group. */
export function unmistakableIn(cities: readonly Known[], groupOf: (city: Known) => string): Known[] {
  const groups = new Map<string, Known[]>()
  for (const city of cities) {
    const key = `${groupOf(city)} ${city.folded}`
    groups.set(key, [...(groups.get(key) ?? []), city])
  }
  return [...groups.values()].flatMap(([first, second]) =>
    first!.population >= minPopulation && (second?.population ?? 0) <= first!.population * unmistakable ? [first!] : [],
  )
}

/** Writes a place and the area that it is in as people do: with a comma, without, or without capitals. */
const inArea = (pick: Pick, name: string, area: string): string =>
  pick.one([`${name}, ${area}`, `${name}, ${area}`, `${name} ${area}`, `${name} ${area}`.toLowerCase()])

const nameFor = (city: Known, language: string): string => city.nameIn[language] ?? city.name

/** A region with the cities in it. */
interface RegionOfCities {
  readonly names: Readonly<Record<string, string>>
  readonly cities: readonly Known[]
}

/** Number of the nearest cities that decide which code of GeoNames a region has, and the share that must agree. */
const neighbours = { count: 15, agree: 10, radiusKm: 80 }

/** Returns regions by country: those of the table, and those of the data whose code the cities around them show. */
function regionsOf(world: World, cities: readonly Known[]): Map<string, RegionOfCities[]> {
  const groups = new Map<string, Known[]>()
  for (const city of cities) {
    const key = `${city.country} ${city.region}`
    groups.set(key, [...(groups.get(key) ?? []), city])
  }
  const regions = new Map<string, RegionOfCities>()
  for (const { country, geoNames, names } of readRegions()) {
    regions.set(`${country} ${geoNames}`, { names, cities: groups.get(`${country} ${geoNames}`) ?? [] })
  }
  const inTable = new Set([...regions.keys()].map(key => key.slice(0, 2)))
  const claims = new Map<string, Known[]>()
  for (const region of world.places) {
    if (region.category !== 'geo:region' || inTable.has(region.country ?? '')) continue
    const around = world.near(
      region,
      neighbours.radiusKm,
      p => p.category === 'geo:city' && p.country === region.country,
    )
    const codes = around.slice(0, neighbours.count).map(city => city.region)
    const code = codes.find(one => codes.filter(other => other === one).length >= neighbours.agree)
    if (code !== undefined) push(claims, `${region.country} ${code}`, region)
  }
  // Two regions around the same cities: the data does not show which of them the code denotes.
  for (const [key, [region, other]] of claims) {
    if (other === undefined)
      regions.set(key, { names: { en: region!.name, ...region!.nameIn }, cities: groups.get(key) ?? [] })
  }
  const byCountry = new Map<string, RegionOfCities[]>()
  for (const [key, region] of regions) if (region.cities.length > 0) push(byCountry, key.slice(0, 2), region)
  return byCountry
}

const push = <V>(lists: Map<string, V[]>, key: string, value: V) => lists.set(key, [...(lists.get(key) ?? []), value])

/** Returns classes of cities with the area that they are in, and of other names of cities. */
export function cityClasses(world: World, random: Random): Makers {
  const pick = pickFrom(random)
  const coded = world.cities.filter(({ region }) => region !== undefined)
  const inRegion = unmistakableIn(coded, ({ country, region }) => `${country} ${region}`)
  const inCountry = unmistakableIn(world.cities, ({ country }) => country ?? '')
  return {
    ...(inRegion.length > 0 && regionClasses(world, pick, inRegion)),
    'city + country': countryMaker(pick, inCountry),
    'capital + country': countryMaker(
      pick,
      inCountry.some(({ isCapital }) => isCapital)
        ? inCountry.filter(({ isCapital }) => isCapital)
        : inCountry.slice(0, 200),
      ['en'],
    ),
    'country alias': aliasMaker(pick, inCountry),
    nickname: nicknameMaker(pick, inCountry),
  }
}

function regionClasses(world: World, pick: Pick, cities: readonly Known[]): Makers {
  const codes = new Map(readRegions().map(({ country, geoNames, code }) => [`${country} ${geoNames}`, code]))
  const codeOf = ({ country, region }: Known) => (country === 'CH' ? region : codes.get(`${country} ${region}`))
  const byCountry = new Map<string, Known[]>()
  for (const city of cities) if (codeOf(city) !== undefined) push(byCountry, city.country!, city)
  const regions = regionsOf(world, cities)
  const countries = [...regions.keys()]
  return {
    'city, code': () => {
      const city = pick.one(byCountry.get(pick.one(codeCountries))!)
      return { text: inArea(pick, city.name, codeOf(city)!), grade: cityGrade(city) }
    },
    'city, region': () => {
      const { names, cities: inside } = pick.one(regions.get(pick.one(countries))!)
      const city = pick.one(inside)
      const language = pick.one(languages.filter(one => one in names))
      return { text: inArea(pick, nameFor(city, language), names[language]!), grade: cityGrade(city) }
    },
  }
}

function countryMaker(pick: Pick, cities: readonly Known[], among = languages): Maker {
  const display = new Map(among.map(language => [language, new Intl.DisplayNames(language, { type: 'region' })]))
  const large = cities.slice(0, 3000)
  return () => {
    const city = pick.one(pick.one([cities, large]).filter(({ country }) => country !== undefined))
    const language = pick.one(among.filter(one => one === 'en' || one in city.nameIn))
    const country = display.get(language)!.of(city.country!)!
    return { text: inArea(pick, nameFor(city, language), country), grade: cityGrade(city) }
  }
}

function aliasMaker(pick: Pick, cities: readonly Known[]): Maker {
  const aliases = readCountryAliases()
  const cityIn = new Map(
    aliases.map(({ country }) => [country, cities.filter(c => c.country === country).slice(0, 40)]),
  )
  return () => {
    const { alias, country } = pick.one(aliases.filter(one => cityIn.get(one.country)!.length > 0))
    const city = pick.one(cityIn.get(country)!)
    return { text: pick.one([`${city.name}, ${alias}`, `${city.name} ${alias}`]), grade: cityGrade(city) }
  }
}

function nicknameMaker(pick: Pick, cities: readonly Known[]): Maker {
  const named = readNicknames().flatMap(({ nickname, city, country }) => {
    const place = cities.find(one => one.country === country && one.folded === plain(city))
    return place === undefined ? [] : [{ nickname, place }]
  })
  return () => {
    const { nickname, place } = pick.one(named)
    return { text: pick.one([nickname, nickname.toUpperCase()]), grade: cityGrade(place) }
  }
}
