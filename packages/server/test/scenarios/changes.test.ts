/** Changes of locations since a time or a cursor, over real HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectDocumented } from '../contract/answers.ts'
import { eventually } from '../eventually.ts'
import { importRows, makeKey, startWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

interface Answer {
  readonly data: readonly { readonly id: number; readonly type: string; readonly changed_ts: string }[]
  readonly cursor: string
  readonly has_more: boolean
}

const read = async (query: string, key = world.key): Promise<Answer> => {
  const target = `/changes?${query}`
  const reply = await world.get(target, { key })
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
  expectDocumented(reply, target)
  return reply.json() as Answer
}

const readAll = async (since: string, key = world.key): Promise<Answer> => {
  const part = await read(`since=${since}`, key)
  if (!part.has_more) return part
  const rest = await readAll(part.cursor, key)
  return { ...rest, data: [...part.data, ...rest.data] }
}

test('a cursor leads to what has changed since', async () => {
  const { data, cursor } = await readAll('2026-01-01')
  expect(data.find(({ id }) => id === 20)).toMatchObject({ type: 'location.merged', merged_into: expect.any(Number) })
  expect(data.find(({ id }) => id === 30)).toMatchObject({ type: 'location.removed' })
  expect(data.find(({ id }) => id === 4)).toMatchObject({ type: 'location.closed' })
  expect((await read(`since=${cursor}`)).data).toEqual([])
  await importRows(world.config, 'location', [
    { source: 'gazette', source_id: 'bare', name: 'New Name', lat: 0, lon: 0 },
  ])
  const next = await eventually(async () => {
    const found = await read(`since=${cursor}`)
    expect(found.data).toHaveLength(1)
    return found
  })
  expect(next).toMatchObject({ data: [{ type: 'location.changed' }], has_more: false })
})

test('parts follow one another, and a client asks again each time', async () => {
  const { data, has_more: hasMore, cursor } = await read('since=2026-01-01&size=2')
  expect([data.length, hasMore]).toEqual([2, true])
  const following = await read(`cursor=${cursor}&size=2`)
  expect(following.data.map(({ id }) => id)).not.toContain(data[1]!.id)
  const reply = await world.get('/changes?since=2026-01-01')
  expect(reply.headers).toMatchObject({ 'cache-control': 'private, no-cache', 'x-billed-units': '1' })
})

test('a narrowed key sees the locations of its scope', async () => {
  const { secret } = await makeKey(world.config, { packageName: 'innovate', scope: { sources: ['nobody'] } })
  const { data } = await readAll('2026-01-01', secret)
  expect([...new Set(data.map(({ type }) => type))]).toEqual(['location.removed'])
})

test.each([
  ['', 400, 'since is required.'],
  ['since=yesterday', 400, 'since must be a date, a date-time such as 2026-01-31T12:00:00Z, or a cursor.'],
  ['since=c', 400, 'since must be'],
  ['since=c1&size=1001', 400, 'size must be an integer from 1 to 1000.'],
  ['since=c999999999', 410, 'changes since then'],
])('refuses %s', async (query, status, sentence) => {
  const reply = await world.get(`/changes?${query}`)
  expect({ status: reply.status, text: reply.text }).toEqual({ status, text: expect.stringContaining(sentence) })
})
