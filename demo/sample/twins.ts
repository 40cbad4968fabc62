import type { Place } from './place.ts'

const cultural = new Set(['museum', 'monument', 'attraction', 'gallery'])
const fillers = new Set(
  'the of de del la el los las le les du des d l and y et di nacional national centro centre'.split(' '),
)

/** Returns the distinctive words of a name. */
const words = (name: string): string[] =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '' && !fillers.has(word))
    .sort()

const near = (a: Place, b: Place): boolean => Math.abs(a.lat - b.lat) < 0.003 && Math.abs(a.lon - b.lon) < 0.004

/**
 * Returns true for two records of one sight: different sources, less than about 300 m apart, and the same distinctive
 * words.
 */
function sameSight(a: Place, b: Place): boolean {
  if (a.source === b.source || !near(a, b)) return false
  const [mine, theirs] = [words(a.name), words(b.name)]
  if (mine.join(' ') === theirs.join(' ')) return true
  const [fewer, more] = mine.length < theirs.length ? [mine, theirs] : [theirs, mine]
  return (
    a.category === 'museum' && b.category === 'museum' && fewer.length > 1 && fewer.every(word => more.includes(word))
  )
}

/** Merges the names and the id of Wikidata records into other sources' records of the same sights. */
export function mergeTwins(places: readonly Place[]): Place[] {
  const sights = places.filter(place => cultural.has(place.category))
  const wikidata = sights.filter(place => place.source === 'wikidata')
  const merged = new Map<Place, Place>()
  const used = new Set<Place>()
  for (const place of sights) {
    if (place.source === 'wikidata') continue
    const twin = wikidata.find(other => !used.has(other) && sameSight(place, other))
    if (twin === undefined) continue
    used.add(twin)
    const names = { ...twin.names, ...place.names }
    merged.set(place, {
      ...place,
      ...(Object.keys(names).length > 0 && { names }),
      wikidata: twin.source_id,
    })
  }
  return places.filter(place => !used.has(place)).map(place => merged.get(place) ?? place)
}
