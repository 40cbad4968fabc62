/** A full disk during a pull: it reports an error and keeps the old result; the next run with free space continues. */
import { readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createRandom } from '../../src/kit/random.ts'
import { smallDisk } from '../small-disk.ts'
import { applyRandomChanges } from './pull-publisher.ts'
import { PullWorld } from './pull-world.ts'

const { path: disk, mounted } = smallDisk(8)

describe.skipIf(!mounted)('a full disk', () => {
  test.each([
    ['before the parts are downloaded', 20_000],
    ['while the result is written', 1_500_000],
  ])('%s', async (_, left) => {
    const world = await PullWorld.open()
    const next = createRandom(8)
    const into = join(disk, `into-${left}`)
    const read = (name: string) => readFileSync(join(into, name), 'utf8')
    applyRandomChanges(world.edition, 4000, next)
    world.edition.full()
    await world.pull({ into })
    const before = [read('locations.ndjson'), read('locations.state.json')]
    applyRandomChanges(world.edition, 3000, next)
    world.edition.delta()
    const { bavail, bsize } = statfsSync(disk)
    writeFileSync(join(disk, 'ballast'), Buffer.alloc(bavail * bsize - left))
    const { failed } = await world.pull({ into })
    expect(failed).toMatchObject([{ mismatch: false, message: expect.stringMatching(/^The disk is full at/) }])
    expect([read('locations.ndjson'), read('locations.state.json')]).toEqual(before)
    rmSync(join(disk, 'ballast'))
    expect((await world.pull({ into })).pulled).toMatchObject([{ kind: 'delta' }])
    expect(read('locations.ndjson') === world.edition.result()).toBe(true)
    rmSync(into, { recursive: true })
    await world.close()
  })
})
