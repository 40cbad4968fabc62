/** Overrides and merges of places by an operator: they win over imports until they are lifted. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import { composePlaces } from '../../src/compose/places.ts'
import type { Id } from '../../src/domain/id.ts'
import { liftOverride } from '../../src/usecases/admin/lift-override.ts'
import { locationHistory } from '../../src/usecases/admin/location-history.ts'
import { mergeLocation } from '../../src/usecases/admin/merge-location.ts'
import { overrideLocation } from '../../src/usecases/admin/override-location.ts'
import { removeLocation } from '../../src/usecases/admin/remove-location.ts'
import { periplus } from '../cli.ts'
import { actor, configFor, importRows, ndjson, scratch } from '../world.ts'

const folder = scratch()
const config = configFor(join(folder.path, 'data'))
const place = (id: number, more: object = {}) => ({
  id,
  source: 's',
  source_id: `p${id}`,
  name: `Place ${id}`,
  lat: 1,
  lon: 2,
  category: 'hotel',
  country: 'ES',
  ...more,
})
const review = (id: number, at: number) => ({
  id,
  source: 's',
  source_id: `r${id}`,
  location_id: at,
  rating: 4,
  text: 'Fine.',
})
await importRows(
  config,
  'location',
  [1, 2, 3, 4].map(id => place(id)),
)
await importRows(config, 'review', [review(1, 2), review(2, 2)])
const engine = openConfiguredEngine(config, { create: false })
const stores = composePlaces(engine)
afterAll(async () => {
  await engine.close()
  folder.remove()
})

const override = (id: Id, field: string, value: unknown, reason = 'Checked by phone.') =>
  overrideLocation(stores, actor, { id, field, value, reason })
const lift = (id: Id, field: string) => liftOverride(stores, actor, { id, field, reason: 'Source is right.' })
const merge = (id: Id, into: Id) => mergeLocation(stores, actor, { id, into, reason: 'Same place.' })
const location = async (id: Id) => (await engine.locations.get(id))!.location()
const reviewsAt = async (locationId: Id) =>
  (await engine.reviews.list({ locationId, sortBy: 'MOST_RECENT', offset: 0, limit: 10 })).total

test('each field takes the forms of imports', async () => {
  const values: [field: string, value: unknown, member: object][] = [
    ['names', 'New name', { names: [{ value: 'New name', primary: true }] }],
    [
      'status',
      { value: 'CLOSED', closed_date: '2026-10-01' },
      { status: { value: 'CLOSED', closedDate: '2026-10-01' } },
    ],
    ['coordinates', '41.5,2.25', { coordinates: { latitude: 41.5, longitude: 2.25 } }],
    ['category', 'museum', { categories: [{ id: 'museum', topLevelCategory: 'ATTRACTION' }] }],
    ['address', { city: 'Lyon', country_code: 'FR' }, { addresses: [{ city: 'Lyon', countryCode: 'FR' }] }],
    ['phones', ['+34 1', '+34 2'], { phoneNumbers: [{ value: '+34 1' }, { value: '+34 2' }] }],
    ['urls', 'https://place.example', { urls: { official: 'https://place.example' } }],
    ['hours', 'Mo-Fr 09:00-18:00', { openingHours: { formatted: ['Mo-Fr 09:00-18:00'] } }],
    ['price_level', 'EXPENSIVE', { priceLevel: 'EXPENSIVE' }],
  ]
  for (const [field, value] of values) expect(await override(1n, field, value)).toMatchObject({ field, locationId: 1n })
  for (const [, , member] of values) expect(await location(1n)).toMatchObject(member)
  // The members for scopes follow the values.
  expect(await engine.locations.get(1n)).toMatchObject({ country: 'FR', category: 'ATTRACTION' })
})

test('an override wins over imports until it is lifted; the value of the last import is then served', async () => {
  const seq = await engine.changes.lastSeq()
  await override(3n, 'names', 'Ours')
  expect((await engine.changes.after(seq, 10))!.map(({ id, op }) => [id, op])).toEqual([[3n, 'upsert']])
  const { report } = await importRows(config, 'location', [place(3, { name: 'Theirs' })])
  expect(report).toMatchObject({ unchanged: 1, changed: 0 })
  expect((await location(3n)).names[0]!.value).toBe('Ours')
  await importRows(config, 'location', [place(3, { name: 'Theirs', lat: 9 })])
  expect(await location(3n)).toMatchObject({ names: [{ value: 'Ours' }], coordinates: { latitude: 9 } })
  expect(await lift(3n, 'names')).toMatchObject({ imported: [{ value: 'Theirs', primary: true }] })
  expect((await location(3n)).names[0]!.value).toBe('Theirs')
  expect(await lift(3n, 'names')).toMatchObject({ fault: 'override_unknown' })
  const history = await locationHistory({ ...stores, audit: engine.audit }, actor, { id: 3n, limit: 10 })
  expect(history).toMatchObject({ lines: [{ action: 'location.lift' }, { action: 'location.override' }] })
  expect(JSON.stringify(history)).not.toMatch(/Ours|Theirs|phone/)
})

test('lifting an address or category restores the members for scopes', async () => {
  await lift(1n, 'address')
  await lift(1n, 'category')
  expect(await engine.locations.get(1n)).toMatchObject({ country: 'ES', category: 'HOTEL' })
})

test('a merge moves the reviews and survives imports; lifted, the place exists again as last imported', async () => {
  expect(await merge(2n, 1n)).toMatchObject({ field: 'merged_into', value: '1' })
  expect((await engine.locations.get(2n))!.id).toBe(1n)
  expect(await reviewsAt(1n)).toBe(2)
  await importRows(config, 'location', [place(2, { name: 'Later' })])
  expect((await engine.locations.get(2n))!.id).toBe(1n)
  expect(await merge(1n, 2n)).toMatchObject({ fault: 'merge_circular' })
  expect(await override(2n, 'names', 'x')).toMatchObject({ fault: 'location_merged', survivor: 1n })
  await lift(2n, 'merged_into')
  expect((await location(2n)).names[0]!.value).toBe('Later')
  await importRows(config, 'review', [review(1, 2), review(2, 2)])
  expect([await reviewsAt(1n), await reviewsAt(2n)]).toEqual([0, 2])
})

test('overrides and merges apply to a place that a rebuilt data store gets again', async () => {
  await override(4n, 'names', 'Kept')
  await importRows(config, 'location', [{ id: 4, source: 's', source_id: 'p4', deleted: true }])
  expect(await engine.locations.get(4n)).toBeUndefined()
  await importRows(config, 'location', [place(4)])
  expect((await location(4n)).names[0]!.value).toBe('Kept')
})

test('a removal ends the place and its reviews, survives imports, and is lifted with the last imported values', async () => {
  const [removed, kept] = [place(5), place(6)]
  await importRows(config, 'location', [removed, kept])
  await importRows(config, 'review', [review(5, 5), review(6, 6)])
  await override(5n, 'names', 'Ours')
  const remove = (reason = 'Never existed.') => removeLocation(stores, actor, { id: 5n, reason })
  expect(await remove(' ')).toMatchObject({ fault: 'reason_required' })
  const seq = await engine.changes.lastSeq()
  expect(await remove()).toMatchObject({ field: 'removed', value: 'removed', reason: 'Never existed.' })
  expect((await engine.changes.after(seq, 10))!.map(({ kind, id, op }) => [kind, id, op])).toEqual([
    ['review', 5n, 'delete'],
    ['location', 5n, 'delete'],
  ])
  expect(await remove()).toMatchObject({ fault: 'location_unknown' })
  expect(await override(5n, 'names', 'x')).toMatchObject({ fault: 'location_unknown' })
  const { report } = await importRows(config, 'location', [{ ...removed, name: 'Later' }, kept])
  expect(report).toMatchObject({ unchanged: 2 })
  expect(await engine.locations.get(5n)).toBeUndefined()
  await importRows(config, 'review', [review(5, 5)])
  expect(await reviewsAt(5n)).toBe(0)
  const history = await locationHistory({ ...stores, audit: engine.audit }, actor, { id: 5n, limit: 1 })
  expect(history).toMatchObject({ lines: [{ action: 'location.remove' }] })
  await lift(5n, 'removed')
  expect((await location(5n)).names[0]!.value).toBe('Ours')
  await lift(5n, 'names')
  expect((await location(5n)).names[0]!.value).toBe('Later')
  await importRows(config, 'review', [review(5, 5)])
  expect([await reviewsAt(5n), await reviewsAt(6n)]).toEqual([1, 1])
  await remove()
  await importRows(config, 'location', [{ id: 5, source: 's', source_id: 'p5', deleted: true }])
  await lift(5n, 'removed')
  expect(await engine.locations.get(5n)).toBeUndefined()
})

test.each([
  ['rating', 5, 'Why.', 'override_field_unknown'],
  ['names', 'x', ' ', 'reason_required'],
  ['names', '', 'Why.', 'override_invalid'],
  ['status', 'GONE', 'Why.', 'override_invalid'],
  ['coordinates', '91,0', 'Why.', 'override_invalid'],
  ['coordinates', 'here', 'Why.', 'override_invalid'],
  ['coordinates', null, 'Why.', 'override_invalid'],
  ['category', 'nonsense', 'Why.', 'override_invalid'],
  ['hours', 'whenever', 'Why.', 'override_invalid'],
  ['price_level', 'DEAR', 'Why.', 'override_invalid'],
  ['address', 7, 'Why.', 'override_invalid'],
])('refuses %s = %j with the reason %j: %s', async (field, value, reason, fault) => {
  expect(await override(3n, field, value, reason)).toMatchObject({ fault })
})

test('refuses unknown places and stale revisions', async () => {
  expect(await override(99n, 'names', 'x')).toMatchObject({ fault: 'location_unknown' })
  expect(await merge(99n, 1n)).toMatchObject({ fault: 'location_unknown', location: 99n })
  expect(await merge(1n, 99n)).toMatchObject({ fault: 'location_unknown', location: 99n })
  const stale = { id: 3n, field: 'names', value: 'x', reason: 'y', expectedRevision: 7 }
  expect(await overrideLocation(stores, actor, stale)).toMatchObject({ fault: 'override_changed', revision: 0 })
  expect(await overrideLocation(stores, actor, { ...stale, expectedRevision: 0 })).toMatchObject({ field: 'names' })
})

test('the commands override, show, lift, merge and list', async () => {
  const data = ['--data', config.data]
  const run = (...args: string[]) => periplus(['locations', ...args, ...data])
  expect((await run('override', '3', 'phones', '["+1 2"]', '--reason', 'Called.', '--json')).json()).toMatchObject({
    location_id: 3,
    field: 'phones',
    value: [{ value: '+1 2' }],
    reason: 'Called.',
  })
  expect((await run('show', '3', '--json')).json()).toMatchObject({
    id: 3,
    record: { phone_numbers: [{ value: '+1 2' }] },
    overrides: [{ field: 'names' }, { field: 'phones' }],
  })
  expect((await run('lift', '3', 'phones', '--reason', 'Moved.')).code).toBe(0)
  expect((await run('merge', '4', '3', '--reason', 'Same.', '--json')).json()).toMatchObject({ value: '3' })
  expect((await run('history', '4', '--json')).json()).toMatchObject({
    audit: [{ action: 'location.merge', after: { into: '3' } }, { action: 'location.override' }],
  })
  expect(await run('override', '3', 'names', 'x')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Specify the reason with --reason TEXT.'),
  })
  await importRows(config, 'location', [place(7)])
  expect((await run('remove', '7', '--reason', 'Spam.', '--json')).json()).toMatchObject({ field: 'removed' })
  expect((await run('show', '7')).code).toBe(1)
  expect((await run('lift', '7', 'removed', '--reason', 'No spam.')).stdout).toContain('exists again')
  const file = join(folder.path, 'places.ndjson')
  writeFileSync(file, ndjson([place(4)]))
  expect((await periplus(['import', file, '--dry-run', ...data])).code).toBe(0)
  expect((await engine.locations.get(4n))!.id).toBe(3n)
  expect((await periplus(['verify', ...data])).code).toBe(0)
})
