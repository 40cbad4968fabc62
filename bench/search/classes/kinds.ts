import { readCountryAliases, readRegions } from '../oracles/read.ts'
import { inPlace, type Kind, kinds, nearPlace, withWants } from './kind-words.ts'
import { type Known, kilometres, namesOf, plain } from './known.ts'
import { otherField } from './transport.ts'
import { byShare, type Maker, type Makers, type Pick, pickFrom, type Random } from './trial.ts'
import type { World } from './world.ts'

/** Places of a kind that an area must have, so that five can be expected. */
const least = 5
const languages = Object.keys(inPlace)

/** Returns the distance from a city's centre within which places belong to it. */
const reachKm = ({ population }: Known): number => (population >= 1_000_000 ? 30 : population >= 100_000 ? 20 : 12)

/** Returns classes of queries for a kind of place: in a city, country or region, near a place, with idle words. */
export function kindClasses(world: World, random: Random): Makers {
  const pick = pickFrom(random)
  const towns = new TownFinder(world)
  const byKind = placesByKind(world)
  const inTown =
    (forms: Readonly<Record<string, readonly string[]>>): Maker =>
    () =>
      pick.until(() => {
        const { kind, places } = pick.one(byKind)
        const town = towns.around(pick.one(places))
        if (town === undefined) return undefined
        const isIn = insideOf(town, kind)
        const available = world.near(town, reachKm(town), isIn).length
        if (available < least) return undefined
        const language = languageOf(pick, kind, town)
        const text = phrase(pick.one(forms[language]!), kind.words[language]!, town.nameIn[language] ?? town.name)
        return { text, grade: byShare(isIn, available) }
      })
  return {
    'kind in city': inTown(inPlace),
    'kind with idle words': inTown(withWants),
    'kind in country': countryMaker(pick, byKind),
    ...regionMaker(world, pick, byKind, towns),
    'kind near sight': nearMaker(world, pick, byKind, sightsNear(world), 2),
    'kind near airport': nearMaker(world, pick, byKind, world.places.filter(isAirport), 8),
  }
}

interface KindPlaces {
  readonly kind: Kind
  readonly places: readonly Known[]
}

const placesByKind = ({ places }: World): KindPlaces[] =>
  Object.values(kinds)
    .map(kind => ({ kind, places: places.filter(({ category }) => kind.fits(category)) }))
    .filter(one => one.places.length >= 20)

const phrase = (form: string, kind: string, place: string): string => form.replace('%k', kind).replace('%p', place)

/** Chooses English, or another language that the place has a name in. */
const languageOf = (pick: Pick, kind: Kind, { nameIn }: Known): string =>
  pick.one(['en', 'en', ...languages.filter(one => one !== 'en' && one in nameIn && one in kind.words)])

/** Finds the town that a place belongs to: the most populous one close by. */
class TownFinder {
  readonly #world: World
  readonly #found = new Map<Known, Known | undefined>()

  constructor(world: World) {
    this.#world = world
  }

  around(place: Known): Known | undefined {
    if (!this.#found.has(place)) this.#found.set(place, this.#find(place))
    return this.#found.get(place)
  }

  #find(place: Known): Known | undefined {
    const isTown = (one: Known) => one.category === 'geo:city' && one.population >= 20_000
    const [town] = this.#world.near(place, 20, isTown).sort((a, b) => b.population - a.population)
    if (town === undefined || kilometres(town, place) > reachKm(town)) return undefined
    // A larger city of the same name would be meant instead.
    const namesakes = this.#world.named(town.folded)
    return namesakes.some(one => one !== town && one.population > town.population / 2) ? undefined : town
  }
}

/** Returns a test for places of a kind that are in a town, by distance or by their own word. */
const insideOf = (town: Known, kind: Kind) => (place: Known) =>
  kind.fits(place.category) &&
  (kilometres(town, place) <= reachKm(town) ||
    (place.country === town.country && kilometres(town, place) < 60 && namesOf(town).has(plain(place.city ?? ''))))

function countryMaker(pick: Pick, byKind: readonly KindPlaces[]): Maker {
  const display = new Map(languages.map(language => [language, new Intl.DisplayNames(language, { type: 'region' })]))
  const aliases = readCountryAliases().filter(({ alias }) => alias.length > 3)
  return () =>
    pick.until(() => {
      const { kind, places } = pick.one(byKind)
      const { country } = pick.one(places)
      const available = places.filter(place => place.country === country).length
      if (country === undefined || available < least) return undefined
      const language = pick.one(languages)
      const alias = language === 'en' ? aliases.find(one => one.country === country)?.alias : undefined
      const name = pick.one([alias, undefined]) ?? display.get(language)!.of(country)!
      const text = phrase(pick.one(inPlace[language]!), kind.words[language]!, name)
      return { text, grade: byShare(place => kind.fits(place.category) && place.country === country, available) }
    })
}

/** Returns the class of kinds in a state or province; a place is in the one that its town is in. */
function regionMaker(world: World, pick: Pick, byKind: readonly KindPlaces[], towns: TownFinder): Makers {
  const regions = new Map(readRegions().map(region => [`${region.country} ${region.geoNames}`, region]))
  if (!world.cities.some(({ country, region }) => regions.has(`${country} ${region}`))) return {}
  const nearest = (place: Known) => world.near(place, 25, one => one.category === 'geo:city')[0]
  const make = () =>
    pick.until(() => {
      const { kind, places } = pick.one(byKind)
      const place = pick.one(places)
      const town = towns.around(place)
      const region = town && regions.get(`${town.country} ${town.region}`)
      if (region === undefined) return undefined
      const isIn = (one: Known) => {
        if (!kind.fits(one.category) || one.country !== region.country) return false
        const city = nearest(one)
        return one.region === region.code || city?.region === region.geoNames
      }
      const around = world.near(place, 60, isIn)
      const language = pick.one(languages.filter(one => one in region.names))
      if (around.length < least || language === undefined) return undefined
      const text = phrase(pick.one(inPlace[language]!), kind.words[language]!, region.names[language]!)
      return { text, grade: byShare(isIn, around.length) }
    })
  return { 'kind in region': make }
}

const isAirport = ({ category, iata, folded }: Known): boolean =>
  category === 'airport' && iata !== undefined && folded.split(' ').length >= 2 && !otherField.test(folded)

/** Returns the sights that their name alone identifies. */
const sightsNear = (world: World): Known[] =>
  world.places.filter(
    place =>
      (place.source === 'wikidata' || place.source === 'unesco_whc' || place.source === 'esmadrid') &&
      kinds.sight!.fits(place.category) &&
      place.folded.split(' ').length >= 2 &&
      world.named(place.folded).length === 1,
  )

/** Number of places that a circle is enlarged for, and its largest radius. */
const enough = { places: 10, radiusKm: 25 }

function nearMaker(
  world: World,
  pick: Pick,
  byKind: readonly KindPlaces[],
  centres: readonly Known[],
  radiusKm: number,
): Maker {
  return () =>
    pick.until(() => {
      const centre = pick.one(centres)
      const { kind } = pick.one(byKind)
      const around = world.near(centre, enough.radiusKm, place => place !== centre && kind.fits(place.category))
      if (around.length < least) return undefined
      const tenth = around[Math.min(around.length, enough.places) - 1]!
      const reach = Math.max(radiusKm, kilometres(centre, tenth))
      const language = pick.one(['en', ...languages.filter(one => one in centre.nameIn)])
      const text = phrase(pick.one(nearPlace[language]!), kind.words[language]!, centre.nameIn[language] ?? centre.name)
      const fits = (place: Known) => place !== centre && kind.fits(place.category) && kilometres(centre, place) <= reach
      return { text, grade: byShare(fits, around.length) }
    })
}
