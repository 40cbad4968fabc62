import { expect, test } from 'vitest'
import { settableClock } from '../../clock.ts'
import { describeEngines } from './engines.ts'

const dayMs = 86_400_000

describeEngines('feed downloads', ({ open }) => {
  test('are stored by key, oldest first, and admitted one at a time', async () => {
    const downloads = await (await open()).openFeedDownloads()
    await downloads.start('k', 0, started => (started.length === 0 ? { snapshot: 'b', atMs: 2000 } : undefined))
    await downloads.start('k', 0, started => (started.length === 0 ? { snapshot: 'c', atMs: 3000 } : undefined))
    await downloads.start('k', 0, () => ({ snapshot: 'a', atMs: 1000 }))
    await downloads.start('other', 0, () => ({ snapshot: 'x', atMs: 1000 }))
    expect(await downloads.since('k', 0)).toEqual([
      { snapshot: 'a', atMs: 1000 },
      { snapshot: 'b', atMs: 2000 },
    ])
    expect(await downloads.since('k', 1001)).toEqual([{ snapshot: 'b', atMs: 2000 }])
    await downloads.close()
  })

  test('survive a restart for 90 days', async () => {
    const clock = settableClock(100 * dayMs)
    const engine = await open(clock)
    const before = await engine.openFeedDownloads()
    await before.start('k', 0, () => ({ snapshot: 'old', atMs: 9 * dayMs }))
    await before.start('k', 0, () => ({ snapshot: 'young', atMs: 10.5 * dayMs }))
    await before.close()
    const after = await engine.openFeedDownloads()
    expect(await after.since('k', 0)).toEqual([{ snapshot: 'young', atMs: 10.5 * dayMs }])
    await after.close()
  })
})
