import { expect, onTestFinished, test } from 'vitest'
import type { DownloadRefusal } from '../../../src/access/download-limits.ts'
import type { Engine } from '../../../src/domain/stores.ts'
import type { DownloadSlot, OpenDownloads } from '../../../src/limits/feed-downloads.ts'
import { createStartedSnapshots, LocalDownloads } from '../../../src/limits/local/local-downloads.ts'
import { LeasedDownloads } from '../../../src/limits/shared/leased-downloads.ts'
import { systemScheduler } from '../../../src/limits/shared/scheduler.ts'
import { describeEngines } from './engines.ts'

const settings = { parallelDownloads: 2, snapshotsPerDay: 3 }

/** Opens the downloads as a service with shared limits does, or without them in a data folder. */
async function openDownloads(engine: Engine): Promise<OpenDownloads> {
  if (engine.descriptor.kind === 'sqlite')
    return new LocalDownloads(settings, createStartedSnapshots(settings, await engine.openFeedDownloads()))
  const cluster = await engine.joinCluster({ name: 'machine', release: '1.0.0', cache: 'postgres' })
  const downloads = new LeasedDownloads(settings, cluster.openDownloadLeases(), systemScheduler)
  onTestFinished(async () => {
    await downloads.close()
    await cluster.close()
  })
  return downloads
}

const release = (started: DownloadSlot | DownloadRefusal) => 'release' in started && started.release()
const refusalOf = (started: DownloadSlot | DownloadRefusal) => ('refused' in started ? started.refused[0] : undefined)

describeEngines('open downloads', ({ open }) => {
  test('are limited by key, also if many start at the same time', async () => {
    const downloads = await openDownloads(await open())
    const start = (key: string, snapshot = 'a') => downloads.start(key, snapshot, 1000)
    const started = await Promise.all([start('k'), start('k'), start('k'), start('other')])
    expect(started.map(refusalOf)).toEqual([undefined, undefined, 'feed-downloads', undefined])
    expect((await downloads.headers('k', 1000)).RateLimit).toMatch(/^"feed-downloads";r=0, "feed-snapshots";r=2/)
    release(started[0]!)
    release(started[0]!)
    const next = await start('k')
    expect([refusalOf(next), refusalOf(await start('k'))]).toEqual([undefined, 'feed-downloads'])
    release(next)
    release(started[1]!)
    await expect
      .poll(async () => (await downloads.headers('k', 1000)).RateLimit)
      .toMatch(/^"feed-downloads";r=2, "feed-snapshots";r=2;t=86400$/)
  })

  test('of refused snapshots are not open', async () => {
    const downloads = await openDownloads(await open())
    for (const snapshot of ['a', 'b', 'c', 'a']) release(await downloads.start('k', snapshot, 1000))
    expect(refusalOf(await downloads.start('k', 'd', 1000))).toBe('feed-snapshots')
    await expect
      .poll(async () => (await downloads.headers('k', 1000)).RateLimit)
      .toMatch(/^"feed-downloads";r=2, "feed-snapshots";r=0/)
  })
})
