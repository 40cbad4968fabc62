import { kinds } from './kind-words.ts'
import { isSettlement, type Known, kilometres, plain } from './known.ts'
import { byRank, byShare, type Makers, pickFrom, type Random } from './trial.ts'
import type { World } from './world.ts'

/** Sources that list a sight only because it is known beyond its town. */
const knownSources = new Set(['unesco_whc', 'wikidata'])
const isKnownSight = ({ source, category, wikidata }: Known): boolean =>
  (knownSources.has(source) || wikidata !== undefined) && (category === 'world_heritage' || kinds.sight!.fits(category))
/** Entries of Wikidata in OpenStreetMap include clubs, hills and forests that no one knows elsewhere. */
const isKnownElsewhere = ({ source, names }: Known): boolean => knownSources.has(source) || names.length >= 10
/** Population from which a town is meant rather than a sight of the same name. */
const largeTown = 150_000
/** A known sight comes before towns of this size. */
const smallTown = 100_000

/** Words at the end of official names that people leave out. */
const formal =
  /( (complex|archaeological (site|park|area|zone)|national park|nature reserve|world heritage site|site|reserve|historic district))+$/
/** Openings of official names that describe the sight: "Archaeological Site of", "Medieval City of". */
const describing =
  /^((the )?(archaeological|historic|historical|medieval|old|ancient|sacred|royal|prehistoric|rock|fortified|national|ensemble|site|sites|ruins|city|town|centre|area|park|complex|monuments|temple|palace|castle) )+(of )(the )?/

/** Official names of a part of a town. */
const townInName = /\b(city|town|centre) of\b/

/** Returns a sight's short name: without its town, formal words, and a text in brackets or after a comma. */
function shortName({ name, city }: Known): string {
  const own = plain(name.replace(/\(.*?\)/g, '').split(/[,–]/, 1)[0]!)
  const core = own.replace(formal, '').replace(describing, '')
  const town = plain(city ?? '')
  const withoutTown = town !== '' && core.endsWith(` ${town}`) ? core.slice(0, -town.length - 1) : core
  return withoutTown.length >= 4 ? withoutTown : own
}

/** Returns classes of sights and towns that share their names with other places. */
export function sightClasses(world: World, random: Random): Makers {
  const pick = pickFrom(random)
  const contested = contestedSights(world, world.places.filter(isKnownSight).filter(isKnownElsewhere))
  const towns = world.cities.filter(city => city.population >= largeTown && isContestedTown(world, city))
  const visited = world.cities
    .filter(city => city.population >= largeTown && isLargestAround(world, city))
    .map(city => ({ city, sights: world.near(city, 15, isKnownSight) }))
    .filter(({ sights }) => sights.length >= 5)
  return {
    ...(contested.length >= 20 && {
      'sight with namesake': () => {
        const { sight, text } = pick.one(contested)
        return { text, grade: byRank(found => isSameSight(sight, found, text)) }
      },
    }),
    ...(towns.length > 0 && {
      'town with namesake': () => {
        const town = pick.one(towns)
        const grade = byRank(found => isSettlement(found) && kilometres(found, town) < 15)
        return { text: pick.one([town.name, town.folded]), grade }
      },
    }),
    ...(visited.length > 0 && {
      'known sights of city': () => {
        const { city, sights } = pick.one(visited)
        const form = pick.one(['things to do in %', 'sights in %', 'attractions %', '% sights', 'what to see in %'])
        return { text: form.replace('%', city.name), grade: byShare(isSightIn(city), sights.length) }
      },
    }),
  }
}

/** Returns true if places other than towns have the name of a city, and no town of it has half its size. */
const isContestedTown = (world: World, city: Known): boolean => {
  const others = world.named(city.folded).filter(other => kilometres(other, city) > 15)
  return (
    others.every(
      other =>
        !other.category.startsWith('geo') || (other.category === 'geo:city' && other.population <= city.population / 2),
    ) && others.some(({ category }) => !category.startsWith('geo') && category !== 'railway_station')
  )
}

/** Returns false for a district of a larger city. */
const isLargestAround = (world: World, city: Known): boolean =>
  world.near(city, 30, other => other.category === 'geo:city' && other.population > city.population).length === 0

const isSightIn = (city: Known) => (place: Known) => isKnownSight(place) && kilometres(city, place) <= 40

/** Accepts the sight, also from another source; a station, hotel or town of the name is wrong. */
const isSameSight = (sight: Known, found: Known, text: string): boolean =>
  kilometres(sight, found) < 2 &&
  (found.category === 'world_heritage' || kinds.sight!.fits(found.category)) &&
  [found.folded, ...found.names.map(plain)].some(name => ` ${name} `.includes(` ${text} `))

/**
 * Returns the known sights whose short name is the name of another place, too, and not of a large town, an airport with
 * a code, or of a second known sight: then it is not clear which is meant.
 */
function contestedSights(world: World, known: readonly Known[]): { sight: Known; text: string }[] {
  const owners = new Map<string, Known[]>()
  for (const sight of known) {
    const text = shortName(sight)
    owners.set(text, [...(owners.get(text) ?? []), sight])
  }
  return [...owners].flatMap(([text, [sight, ...others]]) => {
    if (others.some(other => kilometres(other, sight!) > 2)) return []
    const namesakes = world.named(text).filter(other => kilometres(other, sight!) > 2)
    const isOtherMeant = (other: Known) =>
      (other.category.startsWith('geo') && (other.population >= smallTown || other.category !== 'geo:city')) ||
      other.category === 'airport' ||
      other.category === 'world_heritage' ||
      knownSources.has(other.source)
    // A town that the sight is named after has the name in its own right.
    const isOwnTown = (other: Known) =>
      kilometres(other, sight!) < 40 || (townInName.test(plain(sight!.name)) && other.country === sight!.country)
    if (world.named(text).some(other => other.category.startsWith('geo') && isOwnTown(other))) return []
    return namesakes.length === 0 || namesakes.some(isOtherMeant) ? [] : [{ sight: sight!, text }]
  })
}
