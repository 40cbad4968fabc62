import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settableClock } from '../clock.ts'
import { emptyMembers } from '../scenario.ts'
import { searchable } from '../searchable.ts'
import { startWorld, type World } from '../world.ts'

/** A time at which version 0 was still served, to compare each row of SPEC §9.5 in both versions. */
const clock = settableClock(Date.UTC(2025, 5, 1))
let world: World
beforeAll(async () => {
  world = await startWorld({}, 'world', clock)
  await searchable(world)
})
afterAll(() => world.close())

// biome-ignore lint/suspicious/noExplicitAny: responses of two versions, read member by member.
type Body = any

async function both(path: string): Promise<{ v0: Body; v1: Body }> {
  const get = async (version: number) => {
    const reply = await world.get(`${path}${path.includes('?') ? '&' : '?'}version=${version}`)
    expect([reply.status, reply.headers['api-version']]).toEqual([200, String(version)])
    return (reply.json() as Body).data
  }
  return { v0: await get(0), v1: await get(1) }
}

const movedMembers = ['subratings', 'breakdowns', 'language_counts']

/** Checks that the traveler_ratings of both versions are equal apart from the moved members. */
function expectMoved(v0: Body, v1: Body): void {
  for (const member of movedMembers) {
    expect(v0.overall).toHaveProperty(member)
    expect(v0).not.toHaveProperty(member)
    expect(v1.overall).not.toHaveProperty(member)
    expect(v0.overall[member].length).toBe((v1[member] ?? []).length)
  }
}

describe('changes from v0 to v1 (SPEC §9.5)', () => {
  test('row 1: locations, status.value: a string became an enumeration of the same words', async () => {
    for (const [id, word] of [
      [1, 'OPEN'],
      [3, 'TEMPORARILY_CLOSED'],
      [4, 'CLOSED'],
    ] as const) {
      const { v0, v1 } = await both(`/locations/${id}`)
      expect([v0.status.value, v1.status.value]).toEqual([word, word])
    }
  })

  test('row 2: review ids: a string became a Long (R-20, R-21)', async () => {
    const { v0, v1 } = await both('/locations/2/reviews')
    expect(v0.map((review: Body) => review.id)).toEqual(['101', '102', '103'])
    expect(v1.map((review: Body) => review.id)).toEqual([101, 102, 103])
  })

  test('row 3: locations: subratings, breakdowns and language_counts moved out of overall', async () => {
    const { v0, v1 } = await both('/locations/1')
    expectMoved(v0.traveler_ratings, v1.traveler_ratings)
    expect(v1.traveler_ratings.breakdowns).toEqual(v0.traveler_ratings.overall.breakdowns)
  })

  test('row 3: reviews: the same in their traveler_ratings', async () => {
    const { v0, v1 } = await both('/locations/2/reviews')
    for (const i of v0.keys()) expectMoved(v0[i].traveler_ratings, v1[i].traveler_ratings)
  })

  test('row 4: subratings of locations: icon_url (a string) and type_name were added', async () => {
    const { v0, v1 } = await both('/locations/1')
    expect(v0.traveler_ratings.overall.subratings).toEqual([{ type: 'value', rating: 4.5, count: 800 }])
    expect(v1.traveler_ratings.subratings).toEqual([
      {
        type: 'value',
        rating: 4.5,
        count: 800,
        icon_url: expect.stringMatching(/^http.*\/icons\/subratings\/value\.svg$/),
        type_name: 'Value',
      },
    ])
  })

  test('row 5: subratings of reviews: icon_url (an ImageUrl) and type_name were added', async () => {
    const { v0, v1 } = await both('/locations/2/reviews')
    expect(v0[0].subratings).toContainEqual({ type: 'value', rating: 5 })
    expect(v1[0].subratings).toContainEqual({
      type: 'value',
      rating: 5,
      icon_url: { key: 'subrating_value', url: expect.stringMatching(/^http/) },
      type_name: 'Value',
    })
  })

  test('row 6: reviews, rating_icon_url: always present when a rating exists', async () => {
    const rated = (await both('/locations/2/reviews')).v1
    const unrated = (await both('/locations/50/reviews')).v1
    for (const review of [...rated, ...unrated]) expect('rating_icon_url' in review).toBe('rating' in review)
    expect(rated.length).toBeGreaterThan(0)
  })

  test('row 7: recommendations: the same changes of the location object', async () => {
    const { v0, v1 } = await both('/recommendations/search?query=museum&lat=40.41&lon=-3.69&radius=10&unit=KM')
    const single = await both('/locations/1')
    expect(v0.map((item: Body) => item.location)).toEqual([single.v0])
    expect(v1.map((item: Body) => item.location)).toEqual([single.v1])
  })

  test('row 8: absent data: omitted instead of returned empty or null (R-19)', async () => {
    for (const path of ['/locations/5', '/locations/40', '/catalog/locations/5', '/locations/50/reviews']) {
      const { v0, v1 } = await both(path)
      expect(emptyMembers(v0).length, path).toBeGreaterThan(0)
      expect(emptyMembers(v1), path).toEqual([])
    }
    const { v0, v1 } = await both('/locations/5')
    expect(v0).toMatchObject({
      geo: null,
      descriptions: [],
      accommodation: {},
      traveler_ratings: {},
      price_level: null,
    })
    expect(v1).not.toHaveProperty('geo')
  })

  test('no field was removed: every member of v0 exists in v1, some at a moved position (SPEC §2.4)', async () => {
    const { v0, v1 } = await both('/locations/1')
    expect(Object.keys(v0).filter(name => !(name in v1))).toEqual([])
    const reviews = await both('/locations/2/reviews')
    const names = new Set(reviews.v1.flatMap((review: Body) => Object.keys(review)))
    expect(Object.keys(reviews.v0[0]).filter(name => !names.has(name))).toEqual([])
  })
})
