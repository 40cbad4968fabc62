import { createRandom } from '../../packages/server/src/kit/random.ts'
import { readPlaces } from '../search/flat-places.ts'

/** Requests of one operation, in the paths of Periplus and in those of the baseline. */
export interface Mix {
  readonly name: string
  readonly ours: readonly string[]
  readonly baseline: readonly string[]
}

/** Number of ids that hot mixes draw from. */
const hotIds = 20_000
const radiusMetres = 10_000

/** Returns the same requests for both services, for the places of a file that both have imported. */
export async function createMixes(file: string, count: number): Promise<Mix[]> {
  const places: { name: string; lat: number; lon: number }[] = []
  for await (const { name, lat, lon } of readPlaces(file)) places.push({ name, lat: lat!, lon })
  const random = createRandom(1)
  const below = (bound: number) => Math.floor(random() * bound)
  const list = <T>(make: () => T) => Array.from({ length: count }, make)
  const anyId = () => 1 + below(places.length)
  const chosen = Array.from({ length: Math.min(hotIds, places.length) }, anyId)
  const hotId = () => chosen[below(chosen.length)]!
  const twenty = (id: () => number) => () => Array.from({ length: 20 }, id).join(',')
  const byIds = (name: string, ids: readonly (number | string)[], ours: string, baseline: string): Mix => ({
    name,
    ours: ids.map(id => `${ours}${id}${ours.includes('?') ? '&' : '?'}version=1`),
    baseline: ids.map(id => baseline + id),
  })
  const search = (name: string, texts: readonly string[]): Mix => ({
    name,
    ours: texts.map(text => `/locations/search?query=${encodeURIComponent(text)}&size=10&version=1`),
    baseline: texts.map(text => `/search?query=${encodeURIComponent(text)}`),
  })
  const centres = list(() => places[below(places.length)]!)
  const anyName = () => places[below(places.length)]!.name
  const firstLetters = () => [...anyName()].slice(0, 4).join('')
  return [
    byIds('id, hot', list(hotId), '/locations/', '/places/'),
    byIds('id, uniform', list(anyId), '/locations/', '/places/'),
    byIds('20 ids, hot', list(twenty(hotId)), '/locations?ids=', '/places?ids='),
    byIds('20 ids, uniform', list(twenty(anyId)), '/locations?ids=', '/places?ids='),
    search('search, full name', list(anyName)),
    search('search, 4 letters', list(firstLetters)),
    {
      name: 'nearby, 10 km',
      ours: centres.map(
        ({ lat, lon }) =>
          `/locations/nearby?lat=${lat}&lon=${lon}&radius=${radiusMetres / 1000}&unit=KM&sort=distance,asc&size=10&version=1`,
      ),
      baseline: centres.map(({ lat, lon }) => `/nearby?lat=${lat}&lon=${lon}&metres=${radiusMetres}`),
    },
  ]
}
