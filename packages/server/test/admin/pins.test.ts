/** Pins of feeds: preview of a move, and its undo for 72 hours. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKey } from '../../src/usecases/admin/create-key.ts'
import { pinFeed } from '../../src/usecases/admin/pin-feed.ts'
import { previewPin } from '../../src/usecases/admin/preview-pin.ts'
import { undoPin } from '../../src/usecases/admin/undo-pin.ts'
import { periplus } from '../cli.ts'
import { openAdmin } from '../composed.ts'
import { actor, configFor, scratch } from '../world.ts'

const folder = scratch()
const admin = openAdmin(configFor(folder.path))
afterAll(() => {
  admin.close()
  folder.remove()
})
const pin = (...args: string[]) => periplus(['feeds', 'pin', ...args, '--data', folder.path])
let id: string
beforeAll(async () => {
  const made = await createKey(admin, actor, { packageName: 'innovate', agreement: { quota: 'unlimited' } })
  if ('fault' in made) throw new Error(made.fault)
  id = made.key.id
})

test('a preview names the members that change, and changes nothing', async () => {
  const preview = (await pin(id, 'locations', 'v2', '--preview', '--json')).json<Record<string, string[]>>()
  expect(preview).toMatchObject({ key: id, feed: 'locations', from: '1', version: '2', takes_feeds: true })
  expect([...preview.added!, ...preview.removed!, ...preview.altered!].length).toBeGreaterThan(0)
  expect(preview).not.toHaveProperty('snapshot')
  expect((await pin(id, 'locations', '2', '--preview')).stdout).toContain('made by the next build')
  expect(await admin.keys.key(id, { all: true })).toMatchObject({ revision: 1 })
  const same = await previewPin(admin, actor, { id, feed: 'locations', version: '1' })
  expect(same).toMatchObject({ changed: false, added: [], removed: [], altered: [] })
})

test('a preview is refused as the move would be', async () => {
  for (const [feed, version] of [
    ['locations', 'beta'],
    ['locations', '99'],
    ['planets', '2'],
  ] as const)
    expect(await previewPin(admin, actor, { id, feed, version })).toEqual(
      await pinFeed(admin, actor, { id, feed, version, expectedRevision: 1 }),
    )
  expect(await previewPin(admin, { ...actor, partnerId: 'x' }, { id, feed: 'geos', version: '2' })).toMatchObject({
    fault: 'key_unknown',
  })
})

test('the last move of a pin can be undone for 72 hours', async () => {
  const never = await pin(id, 'geos', '--undo')
  expect([never.code, never.stderr]).toEqual([1, expect.stringContaining('was never moved')])
  await pin(id, 'geos', '2')
  await pin(id, 'reviews', '2')
  expect((await pin(id, 'geos', '--undo', '--json')).json()).toMatchObject({ from: '2', version: '1', changed: true })
  expect(await admin.keys.key(id, { all: true })).toMatchObject({ feedPins: { geos: '1', reviews: '2' }, revision: 4 })
  const lines = (await periplus(['audit', 'list', '--limit', '1', '--json', '--data', folder.path])).json()
  expect(lines).toMatchObject({ audit: [{ action: 'pin.undo', before: { geos: '2' }, after: { geos: '1' } }] })
  const hourMs = 3_600_000
  const after = (hours: number) => ({ ...admin, clock: { ...admin.clock, nowMs: () => Date.now() + hours * hourMs } })
  const undo = { id, feed: 'reviews', expectedRevision: 4 }
  expect(await undoPin(after(73), actor, undo)).toMatchObject({ fault: 'pin_undo_unavailable', reason: 'too_late' })
  expect(await undoPin(after(71), actor, undo)).toMatchObject({ from: '2', to: '1' })
})

test.each([[['geos']], [['geos', '2', '--undo']], [['geos', '--undo', '--preview']]])('refuses %j', async args => {
  expect((await pin(id, ...args)).code).toBe(2)
})
