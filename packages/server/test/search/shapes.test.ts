/**
 * Compares polygons and routes with brute force. `npm run soak -- shapes` compares more requests:
 * PERIPLUS_SHAPES, PERIPLUS_SEED.
 */
import { expect, test } from 'vitest'
import type { Point } from '../../src/domain/search.ts'
import { createRandom } from '../../src/kit/random.ts'
import { markDead } from '../../src/search/index/index-view.ts'
import { createProgress } from '../progress.ts'
import { isInPolygons, kilometresToRoute, type UnwrappedPolygon, wrapped } from './shape-oracle.ts'
import { ids, indexOf, nearby, partedIndexOf, place } from './world.ts'

const requests = Number(process.env.PERIPLUS_SHAPES ?? 15)
const random = createRandom(Number(process.env.PERIPLUS_SEED ?? 7))
const between = (from: number, to: number) => from + random() * (to - from)
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
const rounded = (degrees: number) => Math.round(degrees * 1e7) / 1e7
const clamped = (latitude: number) => Math.max(-90, Math.min(90, latitude))

/** Places gather around these, so that shapes have some: a city, both sides of the antimeridian, and near the poles. */
const centres = [
  [40, -3],
  [-17, 180],
  [88, 30],
  [-89.5, -120],
] as const

/** Returns a random point; a third of the points have whole degrees, so that they are on edges of shapes. */
function randomPoint(): Point {
  if (random() < 0.1) return { latitude: rounded(between(-90, 90)), longitude: rounded(between(-180, 180)) }
  const [latitude, longitude] = pick(centres)
  const reach = pick([0.05, 1, 6])
  const onGrid = random() < 0.33
  const at = (degrees: number) => (onGrid ? Math.round(degrees) : rounded(degrees))
  return {
    latitude: clamped(at(latitude + between(-reach, reach))),
    longitude: wrapped(at(longitude + between(-reach, reach))),
  }
}

const documents = Array.from({ length: 1500 }, (_, i) => place(i + 1, 'x', randomPoint()))
const changed = documents.filter((_, i) => i % 31 === 0).map(({ id }) => place(id, 'moved', randomPoint()))
const current = [...documents.filter((_, i) => i % 31 !== 0), ...changed]
const overlay = await indexOf(changed)
const changedIds = changed.map(({ id }) => id)
const views = await Promise.all(
  [indexOf(documents), partedIndexOf(documents, 900, 50)].map(async built => {
    const view = await built
    return { ...view, parts: [...view.parts.map(part => markDead(part, changedIds)), ...overlay.parts], revision: 2 }
  }),
)

/** Returns a ring around a centre, with longitudes beyond 180 where it crosses the antimeridian. */
function randomRing([latitude, longitude]: readonly [number, number], reach: number): Point[] {
  const onGrid = random() < 0.3 && reach >= 2
  const isStar = random() < 0.6
  const count = 3 + Math.floor(random() ** 3 * 60)
  const ring = Array.from({ length: count }, (_, i) => {
    const angle = isStar ? (2 * Math.PI * i) / count : between(0, 2 * Math.PI)
    const far = reach * between(0.3, 1)
    const at = (degrees: number) => (onGrid ? Math.round(degrees) : rounded(degrees))
    return {
      latitude: clamped(at(latitude + far * Math.sin(angle))),
      longitude: at(longitude + far * Math.cos(angle)),
    }
  })
  return [...ring, ring[0]!]
}

function randomPolygons(): UnwrappedPolygon[] {
  return Array.from({ length: pick([1, 1, 1, 2, 3]) }, () => {
    const [latitude, longitude] = pick(centres)
    const reach = pick([0.03, 0.8, 3, 8, 40])
    const centre = [latitude + between(-reach, reach) / 2, longitude + between(-reach, reach) / 2] as const
    const holes = Array.from({ length: pick([0, 0, 1, 2]) }, () => randomRing(centre, reach / 2))
    return [randomRing(centre, reach), ...holes]
  })
}

test('polygons match brute force', () => {
  const progress = createProgress('polygons', requests)
  for (let i = 0; i < requests; i++) {
    const shape = randomPolygons()
    const polygons = shape.map(rings =>
      rings.map(ring => ring.map(({ latitude, longitude }) => ({ latitude, longitude: wrapped(longitude) }))),
    )
    const inside = current.filter(document => isInPolygons(document, shape)).map(({ id }) => Number(id))
    const expected = inside.sort((a, b) => a - b)
    for (const view of views) {
      const found = nearby(view, { within: { polygons }, limit: 3000 })
      const sorted = ids(found).sort((a, b) => a - b)
      expect(found.total).toBe(sorted.length)
      if (String(sorted) !== String(expected)) {
        const wrong = documents.filter(({ id }) => sorted.includes(Number(id)) !== expected.includes(Number(id)))
        expect({ i, polygons, wrong }).toEqual({ i, polygons, wrong: [] })
      }
      expectInOrder(found.hits)
      expect(nearby(view, { within: { polygons }, limit: 7 }).hits).toEqual(found.hits.slice(0, 7))
    }
    progress(i + 1)
  }
})

test('routes match brute force', () => {
  const progress = createProgress('routes', requests)
  for (let i = 0; i < requests; i++) {
    const [route, halfWidthKm] = [randomRoute(), pick([0.05, 2, 15, 50])]
    const distances = new Map(current.map(document => [Number(document.id), kilometresToRoute(document, route)]))
    for (const view of views) {
      const found = nearby(view, { within: { route, halfWidthKm }, limit: 3000 })
      const isFound = new Set(ids(found))
      expect(found.total).toBe(isFound.size)
      // A difference of a centimetre is within the rounding of the independent formula.
      const wrong = [...distances].filter(
        ([id, km]) => isFound.has(id) !== km <= halfWidthKm && Math.abs(km - halfWidthKm) > 1e-5,
      )
      if (wrong.length > 0) expect({ i, route, halfWidthKm, wrong }).toEqual({ i, route, halfWidthKm, wrong: [] })
      const errors = found.hits.map(({ id, distanceKm }) => Math.abs(distanceKm - distances.get(Number(id))!))
      expect(Math.max(0, ...errors)).toBeLessThan(1e-5)
      expectInOrder(found.hits)
      expect(nearby(view, { within: { route, halfWidthKm }, limit: 7 }).hits).toEqual(found.hits.slice(0, 7))
    }
    progress(i + 1)
  }
})

/** Returns a walk of random steps, sometimes with a step of no length or a very long one. */
function randomRoute(): Point[] {
  const step = pick([0.01, 0.5, 3])
  let [latitude, longitude] = pick(centres) as readonly [number, number]
  return Array.from({ length: 2 + Math.floor(random() ** 2 * 60) }, () => {
    const far = random() < 0.05 ? 20 : random() < 0.05 ? 0 : step
    latitude = clamped(latitude + between(-far, far))
    longitude += between(-far, far)
    return { latitude: Math.round(latitude * 1e5) / 1e5, longitude: wrapped(Math.round(longitude * 1e5) / 1e5) }
  })
}

function expectInOrder(hits: readonly { readonly distanceKm: number }[]) {
  const far = hits.map(({ distanceKm }) => distanceKm)
  expect(far).toEqual(far.toSorted((a, b) => a - b))
}

test('hand-checked shapes: the world, a cut at the antimeridian, a hole, edges, and a meridian', async () => {
  const at = (id: number, latitude: number, longitude: number) => place(id, 'x', { latitude, longitude })
  const view = await indexOf([at(1, 0, 0), at(2, 0, 180), at(3, 10, -175), at(4, 60, 5), at(5, 5, 5), at(6, 90, 0)])
  const ring = (...positions: [number, number][]) => positions.map(([longitude, latitude]) => ({ latitude, longitude }))
  const find = (...polygons: Point[][][]) => ids(nearby(view, { within: { polygons } })).sort()
  const world = ring([-180, -90], [180, -90], [180, 90], [-180, 90], [-180, -90])
  expect(find([world])).toEqual([1, 2, 3, 4, 5, 6])
  const hole = ring([-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1])
  expect(find([world, hole])).toEqual([2, 3, 4, 5, 6])
  expect(find([ring([170, -5], [-170, -5], [-170, 20], [170, 20], [170, -5])])).toEqual([2, 3])
  const halves = [
    [ring([170, -5], [180, -5], [180, 20], [170, 20], [170, -5])],
    [ring([-180, -5], [-170, -5], [-170, 20], [-180, 20], [-180, -5])],
  ]
  expect(find(...halves)).toEqual([2, 3])
  const [first] = nearby(view, { within: { polygons: halves } }).hits
  expect([Number(first!.id), Math.round(first!.distanceKm)]).toEqual([3, 614])
  expect(find([ring([0, 0], [10, 0], [10, 10], [0, 0])])).toEqual([1, 5])
  const meridian = [
    { latitude: 50, longitude: 4 },
    { latitude: 70, longitude: 4 },
  ]
  const [hit] = nearby(view, { within: { route: meridian, halfWidthKm: 56 } }).hits
  expect([Number(hit!.id), Math.round(hit!.distanceKm * 10) / 10, Math.round(hit!.bearing)]).toEqual([4, 55.6, 90])
})
