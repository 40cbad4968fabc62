/** Moderation of photos: commands, the admin API, and what the endpoint then lists. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { periplus } from '../cli.ts'
import { adminClient, createToken } from '../management/admin-client.ts'
import { importRows, startWorld, type World } from '../world.ts'

const front = 'https://pictures.example/front-of-the-house.jpg'
const place = { id: 1, source: 's', name: 'House', lat: 1, lon: 2, photos: [front, 'https://pictures.example/2.jpg'] }
const review = { id: 5, source: 's', location_id: 1, rating: 4, photos: ['https://pictures.example/3.jpg'] }

let world: World
beforeAll(async () => {
  world = await startWorld({}, 'empty')
  await importRows(world.config, 'location', [place])
  await importRows(world.config, 'review', [review])
})
afterAll(() => world.close())

const command = (...args: string[]) => periplus(['photos', ...args, '--data', world.config.data])

/** Returns the ids of the photos that the endpoint lists. */
async function listed(): Promise<readonly string[]> {
  const { data } = (await world.get('/locations/1/photos')).json() as { data: { id: string }[] }
  return data.map(({ id }) => id)
}

test('hides and shows a photo by command, at once', async () => {
  const [first, second, third] = await listed()
  expect((await command('hide', first!, '--reason', 'A face')).stdout).toBe(`Photo ${first} is now hidden.\n`)
  expect(await listed()).toEqual([second, third])
  expect((await command('hide', first!)).stdout).toBe(`Photo ${first} was already hidden.\n`)
  await importRows(world.config, 'location', [{ ...place, name: 'Renamed' }])
  expect(await listed()).toEqual([second, third])
  const hidden = (await command('list', '--json')).json()
  expect(hidden).toEqual({ photos: [{ id: first, state: 'hidden', reason: 'A face', location_id: '1', url: front }] })
  const all = (await command('list', '--location', '1')).stdout
  for (const id of [first, second, third]) expect(all).toContain(id)
  expect((await command('show', first!)).stdout).toBe(`Photo ${first} is shown again.\n`)
  expect(await listed()).toEqual([first, second, third])
})

test('the admin API lists, hides and shows', async () => {
  const admin = adminClient(world, await createToken(world, ['reviews:moderate']))
  const [first, , third] = await listed()
  expect(await admin.send('POST', `/photos/${third}/hide`, { reason: 'Spam' })).toMatchObject({
    status: 200,
    body: { id: third, state: 'hidden' },
  })
  const { body } = await admin.get('/photos?location_id=1&limit=2')
  expect(body).toMatchObject({ data: [{ id: first, state: 'shown' }, { state: 'shown' }] })
  const rest = await admin.get(`/photos?location_id=1&after=${body.next}`)
  expect(rest.body).toMatchObject({ data: [{ id: third, state: 'hidden', reason: 'Spam' }], next: null })
  expect((await admin.get('/photos')).body).toMatchObject({ data: [{ id: third, location_id: '1' }] })
  expect(await admin.send('POST', `/photos/${third}/show`, {})).toMatchObject({ body: { state: 'shown' } })
  expect(await admin.get('/photos?location_id=9')).toMatchObject({ status: 404 })
  expect(await admin.send('POST', '/photos/x/hide', {})).toMatchObject({ status: 404 })
  expect(await admin.send('POST', `/photos/${third}/erase`, {})).toMatchObject({ status: 403 })
})

test('an erased photo leaves the files of the folder, and imports leave it out', async () => {
  const [first, second, third] = await listed()
  await command('hide', first!)
  const erased = await command('erase', first!)
  expect([erased.code, erased.stdout]).toEqual([0, expect.stringContaining(`Photo ${first} has been erased.`)])
  await importRows(world.config, 'location', [{ ...place, name: 'House' }])
  expect(await listed()).toEqual([second, third])
  expect((await command('list', '--json')).json()).toEqual({ photos: [] })
  const files = readdirSync(world.config.data, { recursive: true, encoding: 'utf8' })
    .map(name => join(world.config.data, name))
    .filter(path => statSync(path).isFile())
  expect(files.filter(path => readFileSync(path).includes('front-of-the-house'))).toEqual([])
})

test.each([
  [['hide', 'x'], 1, 'Photo x does not exist.'],
  [['show', 'l1-0123456789abcdef01234567'], 1, "Run 'periplus photos list --location ID'"],
  [['erase', 'r99-0123456789abcdef01234567'], 1, 'does not exist.'],
  [['list', '--location', 'x'], 2, "'x' is not a location id."],
  [['list', '--location', '99'], 1, '99'],
])('refuses %j', async (args, code, sentence) => {
  const refused = await command(...args)
  expect([refused.code, refused.stderr]).toEqual([code, expect.stringContaining(sentence)])
})
