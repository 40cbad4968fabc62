import { readRegions } from '../oracles/read.ts'
import { type Addressed, addressed, isAtAddress, typedCode } from './addresses.ts'
import { cityGrade, unmistakableIn } from './cities.ts'
import { isSettlement, type Known, kilometres, plain, shareName } from './known.ts'
import { byRank, type Makers, pickFrom, type Random, type Trial } from './trial.ts'
import type { World } from './world.ts'

/** Words of streets and directions with their abbreviations; each is read in both directions. */
const streetWords: readonly (readonly [word: string, short: string])[] = [
  ['Street', 'St'],
  ['Avenue', 'Ave'],
  ['Boulevard', 'Blvd'],
  ['Road', 'Rd'],
  ['Drive', 'Dr'],
  ['Highway', 'Hwy'],
  ['Parkway', 'Pkwy'],
  ['North', 'N'],
  ['South', 'S'],
  ['East', 'E'],
  ['West', 'W'],
]
/** Numbers of names with their words; each is read in both directions. */
const numbers: readonly (readonly [word: string, number: string])[] = [
  ['First', '1st'],
  ['Second', '2nd'],
  ['Third', '3rd'],
  ['Fourth', '4th'],
  ['Fifth', '5th'],
  ['Two', '2'],
  ['Three', '3'],
  ['Four', '4'],
  ['Five', '5'],
  ['Seven', '7'],
]

/** Returns the words of a list that occur in a text, with what replaces them. */
const replacements = (text: string, list: readonly (readonly [string, string])[]) =>
  list
    .flatMap(([a, b]) => [[a, b] as const, [b, a] as const])
    .map(([from, to]) => [new RegExp(`(?<![\\p{L}\\p{N}'’])${from}(?![\\p{L}\\p{N}'’])`, 'iu'), to] as const)
    .filter(([pattern]) => pattern.test(text))

const districts = new Set('borough suburb neighbourhood localadmin'.split(' ').map(kind => `geo:${kind}`))
/** A district is named with a city that is at least this large and at most this far away. */
const ofDistrict = { population: 500_000, km: 15 } as const
/** The same for a sight. */
const ofSight = { population: 100_000, km: 8 } as const
const sights = new Set(['attraction', 'museum', 'monument', 'castle'])

/** Returns classes of the forms in which people write places that are clear by themselves. */
export function formClasses(world: World, random: Random): Makers {
  const pick = pickFrom(random)
  const { places, cities } = world
  return {
    ...cityForms(cities, random),
    ...addressForms(places.flatMap(addressed), random),
    ...nameForms(world, random),
    'district, city': () =>
      pick.until(() => {
        const place = pick.one(places.filter(({ category }) => districts.has(category)))
        const city = cityAround(world, place, ofDistrict)
        if (city === undefined || place.folded.includes(city.folded)) return undefined
        const text = pick.one([`${place.name}, ${city.name}`, `${place.name} ${city.name}`])
        return { text, grade: byRank(found => isSettlement(found) && isSame(place, found, 10)) }
      }),
    'sight, city': () =>
      pick.until(() => {
        const place = pick.one(places.filter(({ category, source }) => sights.has(category) && source === 'wikidata'))
        const city = cityAround(world, place, ofSight)
        if (city === undefined || place.folded.includes(city.folded)) return undefined
        const country = new Intl.DisplayNames('en', { type: 'region' }).of(city.country!)
        const text = pick.one([
          `${place.name}, ${city.name}`,
          `${place.name} ${city.name}`.toLowerCase(),
          `${place.name}, ${city.name}, ${country}`,
        ])
        return { text, grade: byRank(found => isSame(place, found, 5)) }
      }),
    'airport by code': () => {
      const place = pick.one(
        places.filter(({ category, iata, source }) => category === 'airport' && iata && source === 'opentraveldata'),
      )
      const text = pick.one([`${place.iata} airport`, `airport ${place.iata}`, `${place.iata!.toLowerCase()} airport`])
      return { text, grade: byRank(found => found.iata === place.iata || isSame(place, found, 5)) }
    },
  }
}

const isSame = (wanted: Known, found: Known, km: number): boolean =>
  kilometres(wanted, found) < km && shareName(wanted, found)

/** Returns the largest city around a place. */
const cityAround = (world: World, place: Known, { population, km }: { population: number; km: number }) =>
  world
    .near(place, km, one => one.category === 'geo:city' && one.population >= population)
    .sort((a, b) => b.population - a.population)[0]

/** Returns classes of cities with state and country, with a postal code, and with careless signs and spaces. */
function cityForms(all: readonly Known[], random: Random): Makers {
  const pick = pickFrom(random)
  const regions = new Map(readRegions().map(one => [`${one.country} ${one.geoNames}`, one]))
  const cities = unmistakableIn(
    all.filter(({ country, region }) => regions.has(`${country} ${region}`)),
    ({ country, region }) => `${country} ${region}`,
  )
  const clear = unmistakableIn(all, ({ country }) => country ?? '').slice(0, 4000)
  const countryOf = (city: Known) => new Intl.DisplayNames('en', { type: 'region' }).of(city.country!)!
  return {
    'city, region, country': () => {
      const city = pick.one(cities)
      const { code, names } = regions.get(`${city.country} ${city.region}`)!
      const region = pick.one([code, names.en!])
      const country = pick.one([countryOf(city), city.country!])
      const text = pick.one([`${city.name}, ${region}, ${country}`, `${city.name} ${region} ${country}`])
      return { text, grade: cityGrade(city) }
    },
    'careless signs': () => {
      const city = pick.one(clear)
      const country = countryOf(city)
      const text = pick.one([
        `${city.name},${country}`,
        `  ${city.name} ,  ${country} `,
        `${city.name}, ${country}.`.toUpperCase(),
        `"${plain(city.name)}", ${country}`,
        `${city.name} (${country})`,
        `${city.name} - ${country}`,
        `${city.name}/${country}`,
        `${country}, ${city.name}`,
        `${city.name}?`,
      ])
      return { text, grade: cityGrade(city) }
    },
  }
}

/** Returns classes of addresses in other forms than that of the data. */
function addressForms(houses: readonly Addressed[], random: Random): Makers {
  const pick = pickFrom(random)
  const american = houses.filter(({ place }) => place.country === 'US' && place.postalCode !== undefined)
  if (american.length === 0) return {}
  const trial = (text: string, { place, street }: Addressed): Trial => ({
    text,
    grade: byRank(found => isAtAddress(found, street, place)),
  })
  const stateOf = new Map(readRegions().map(({ country, geoNames, code }) => [`${country} ${geoNames}`, code]))
  const state = ({ region, country }: Known) => stateOf.get(`${country} ${region}`) ?? region ?? ''
  const codes = american.filter(({ place: { region } }) => region !== undefined && /^[A-Z]{2}$/.test(region))
  return {
    'address, abbreviated': () =>
      pick.until(() => {
        const house = pick.one(houses)
        const change = pick.one(replacements(house.street, streetWords))
        if (change === undefined) return undefined
        const street = house.street.replace(change[0], change[1])
        return trial(pick.one([`${street}, ${house.city}`, `${street} ${house.city}`.toLowerCase()]), house)
      }),
    ...(codes.length > 0 && {
      'address in full': () => {
        const house = pick.one(codes)
        const { place, street, city } = house
        const end = pick.one(['', ', USA', ', United States'])
        return trial(`${street}, ${city}, ${state(place)} ${typedCode(place.postalCode!)}${end}`, house)
      },
      'city, state, code': () => {
        const { place, city } = pick.one(codes)
        const code = typedCode(place.postalCode!)
        const text = pick.one([`${city}, ${state(place)} ${code}`, `${city} ${state(place)} ${code}`])
        const fits = (found: Known) =>
          found.postalCode?.startsWith(code) === true || (isSettlement(found) && found.folded === plain(city))
        return { text, grade: byRank(fits) }
      },
      'name, address': () => {
        const { place, street, city } = pick.one(codes)
        const text = pick.one([`${place.name} ${street}`, `${place.name}, ${street}, ${city}`])
        return { text, grade: byRank(found => isSame(place, found, 1)) }
      },
      'name, city, state': () => {
        const { place, city } = pick.one(codes)
        const text = pick.one([`${place.name}, ${city}, ${state(place)}`, `${place.name} ${city} ${state(place)}`])
        return { text, grade: byRank(found => isSame(place, found, 30)) }
      },
    }),
  }
}

/** Returns classes of names with other signs and numbers than those of the data. */
function nameForms({ places }: World, random: Random): Makers {
  const pick = pickFrom(random)
  const named = places.filter(({ category, folded }) => !category.startsWith('geo:') && folded.split(' ').length >= 2)
  const joined = named.filter(({ name }) => / (&|and|und|et|y) /i.test(name))
  const trial = (text: string, place: Known): Trial => ({ text, grade: byRank(found => shareName(place, found)) })
  return {
    'and for &': () => {
      const place = pick.one(joined)
      const [, sign] = / (&|and|und|et|y) /i.exec(place.name)!
      return trial(place.name.replace(` ${sign} `, sign === '&' ? ' and ' : ' & '), place)
    },
    'number in words': () =>
      pick.until(() => {
        const place = pick.one(named)
        const change = pick.one(replacements(place.name, numbers))
        return change && trial(place.name.replace(change[0], change[1]), place)
      }),
    'other signs': () =>
      pick.until(() => {
        const place = pick.one(named)
        const text = pick.one([
          place.name.replaceAll(/[-–]/g, ' '),
          place.name.replace(' ', '-'),
          place.name.replaceAll('.', ''),
          place.name.replaceAll(/['’]/g, ' '),
          place.name.replaceAll(/\(.*?\)/g, ''),
          `${place.name}!`,
        ])
        return text === place.name || text === '' ? undefined : trial(text, place)
      }),
  }
}
