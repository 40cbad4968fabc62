import { type Known, kilometres, namesOf, plain, shareName } from './known.ts'
import { byRank, type Makers, pickFrom, type Random } from './trial.ts'
import type { World } from './world.ts'

/** Words for an airport, with `%` for the name of the city, by language. */
const airportForms: Readonly<Record<string, readonly string[]>> = {
  en: ['% airport', 'airport %', '% international airport', '% intl airport'],
  de: ['Flughafen %', '% Flughafen'],
  fr: ['aéroport de %', 'aéroport %'],
  es: ['aeropuerto de %', 'aeropuerto %'],
  it: ['aeroporto di %', 'aeroporto %'],
  pt: ['aeroporto de %'],
  nl: ['luchthaven %'],
  pl: ['lotnisko %'],
  sv: ['% flygplats'],
  tr: ['% havalimanı'],
  ja: ['%空港'],
  zh: ['%机场'],
}
/** The same for a station, by country. */
const stationForms: Readonly<Record<string, readonly string[]>> = {
  DE: ['Bahnhof %', '% Bahnhof', '% station'],
  AT: ['Bahnhof %', '% station'],
  CH: ['Bahnhof %', '% station'],
  FR: ['gare de %', 'gare %', '% train station'],
  BE: ['gare de %', '% station'],
  IT: ['stazione di %', 'stazione %', '% station'],
  ES: ['estación de %', '% station'],
  GB: ['% station', '% railway station', '% train station'],
  NL: ['station %', '% station'],
}

const isScheduled = ({ category, iata }: Known): boolean => category === 'airport' && iata !== undefined
const airportWord = /\b(airport|aeroport|flughafen|airfield|airpark|intl|international)\b/

/** Returns classes of airports and stations, by their own names and by the city. */
export function transportClasses(world: World, random: Random): Makers {
  const pick = pickFrom(random)
  const airports = world.places.filter(isScheduled)
  const official = airports.filter(({ folded }) => airportWord.test(folded) && folded.split(' ').length >= 3)
  const byCity = world.cities.slice(0, 3000).filter(city => airportsOf(world, city).length > 0)
  const stations = world.places.filter(
    ({ category, country, folded }) =>
      category === 'railway_station' && stationForms[country ?? ''] !== undefined && folded.length >= 5,
  )
  return {
    ...(official.length > 0 && {
      'official airport name': () => {
        const place = pick.one(official)
        const core = place.name.replace(/ Airport$/, '')
        const short = world.named(plain(core)).length === 0 ? core : place.name
        const text = pick.one([place.name, place.name.toLowerCase(), short, `${place.name} ${place.iata}`])
        return { text, grade: byRank(found => isAirportNear(found, place) && shareName(place, found)) }
      },
    }),
    ...(byCity.length > 0 && {
      'airport by city': () => {
        const city = pick.one(byCity)
        const language = pick.one(Object.keys(airportForms).filter(one => one === 'en' || one in city.nameIn))
        const name = city.nameIn[language] ?? city.name
        const own = new Set(airportsOf(world, city))
        return { text: pick.one(airportForms[language]!).replace('%', name), grade: byRank(found => own.has(found)) }
      },
    }),
    ...(stations.length > 0 && {
      station: () => {
        const place = pick.one(stations)
        const text = pick.one(stationForms[place.country!]!).replace('%', place.name)
        const grade = byRank(found => found.category === 'railway_station' && shareName(place, found))
        return { text: pick.one([text, text.toLowerCase()]), grade }
      },
    }),
  }
}

/** Accepts the same airport from another source. */
const isAirportNear = (found: Known, place: Known): boolean =>
  found.category === 'airport' && kilometres(found, place) < 5

/** Fields that nobody means who asks for a city's airport. */
export const otherField = /\b(heliport|seaplane|air base|air force|naval|army|afb|municipal|raf|metropolitan area)\b/
/** Airports farther away than this are not a city's. */
const maxKm = 80

/**
 * Returns the airports with a code that the data gives to a city: by their own city, or by the city's name in theirs;
 * the international ones if there are any. A larger city of the same name would be meant instead.
 */
function airportsOf(world: World, city: Known): Known[] {
  if (world.named(city.folded).some(other => other.category === 'geo:city' && other.population > city.population))
    return []
  const names = namesOf(city)
  const all = world.near(
    city,
    maxKm,
    place =>
      isScheduled(place) &&
      !otherField.test(place.folded) &&
      place.country === city.country &&
      (names.has(plain(place.city ?? '')) || ` ${place.folded} `.includes(` ${city.folded} `)),
  )
  const international = all.filter(({ folded }) => /\b(international|intl)\b/.test(folded))
  return international.length > 0 ? international : all
}
