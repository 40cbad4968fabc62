import { expect, it } from 'vitest'
import { fault } from '../domain/fault.ts'
import type { FeedDownload, FeedDownloads } from '../domain/feed-stores.ts'
import { FeedDownloadLimits } from './feed-downloads.ts'
import { createCall, createMemoryRecorder } from './limits.fixture.ts'
import { createStartedSnapshots, LocalDownloads } from './local/local-downloads.ts'

/** Creates a store that responds in a later turn, like a remote database; one call at a time. */
function slowStore(): FeedDownloads {
  const started: FeedDownload[] = []
  let last: Promise<unknown> = Promise.resolve()
  const later = async <T>(work: () => T): Promise<T> => {
    const before = last
    const { promise, resolve } = Promise.withResolvers<void>()
    last = promise
    await before
    await new Promise(setImmediate)
    resolve()
    return work()
  }
  return {
    since: () => later(() => [...started]),
    start: (_key, _since, decide) =>
      later(() => {
        const decided = decide([...started])
        if (decided) started.push(decided)
      }),
    close: async () => {},
  }
}

function downloads(settings: { parallelDownloads: number; snapshotsPerDay: number }, store = slowStore()) {
  const memory = createMemoryRecorder()
  const limits = new FeedDownloadLimits(
    new LocalDownloads(settings, createStartedSnapshots(settings, store)),
    memory.recorder,
  )
  const download = async (snapshot: string, status = 200) =>
    limits.open(createCall('downloadFeedFile')).settle({ status, entities: 0, snapshot })
  return { ...memory, limits, download }
}

const refusedBy = (
  settlements: readonly { readonly refusal: { readonly violatedPolicies?: readonly string[] } | undefined }[],
) => settlements.map(({ refusal }) => refusal?.violatedPolicies?.join())

it('limits open downloads, also if many start at the same time', async () => {
  const { download, records } = downloads({ parallelDownloads: 2, snapshotsPerDay: 9 })
  const settlements = await Promise.all([download('a'), download('b'), download('c')])
  expect(refusedBy(settlements)).toEqual([undefined, undefined, 'feed-downloads'])
  expect(records.map(({ status }) => status).sort()).toEqual([200, 200, 429])
  settlements[0]!.release?.()
  settlements[0]!.release?.()
  expect(refusedBy([await download('a'), await download('a')])).toEqual([undefined, 'feed-downloads'])
})

it('limits distinct snapshots per day, also if many start at the same time', async () => {
  const { download } = downloads({ parallelDownloads: 9, snapshotsPerDay: 2 })
  const settlements = await Promise.all([download('a'), download('b'), download('c'), download('a')])
  expect(refusedBy(settlements)).toEqual([undefined, undefined, 'feed-snapshots', undefined])
  // The refused download is not open.
  expect((await download('b')).headers.RateLimit).toMatch(/^"feed-downloads";r=5, "feed-snapshots";r=0;t=86400$/)
})

it.each([304, 404])('counts nothing for a response with status %i', async status => {
  const { download, records } = downloads({ parallelDownloads: 2, snapshotsPerDay: 2 })
  const settlement = await download('a', status)
  expect(settlement.headers.RateLimit).toBe('"feed-downloads";r=2, "feed-snapshots";r=2')
  expect(settlement.release).toBeUndefined()
  expect(records).toMatchObject([{ status, units: 0 }])
})

it('records a call that was denied before the limits', async () => {
  const { limits, records } = downloads({ parallelDownloads: 2, snapshotsPerDay: 2 })
  const ticket = limits.open(createCall('downloadFeedFile'), fault('forbidden'))
  expect(ticket.refusal).toMatchObject({ fault: 'forbidden' })
  await ticket.settle({ status: 403, entities: 0 })
  expect(records).toMatchObject([{ status: 403 }])
})

it('releases a download if the store fails', async () => {
  const store = slowStore()
  const { download } = downloads(
    { parallelDownloads: 1, snapshotsPerDay: 9 },
    { ...store, start: () => Promise.reject(new Error('closed')) },
  )
  await expect(download('a')).rejects.toThrow('closed')
  await expect(download('a')).rejects.toThrow('closed')
})

it('returns 503 if the call cannot be recorded, and the download can still be released', async () => {
  const { download, state, failure } = downloads({ parallelDownloads: 1, snapshotsPerDay: 9 })
  state.outcome = failure
  const settlement = await download('a')
  expect(settlement.refusal).toMatchObject({ fault: 'metering_unavailable' })
  settlement.release?.()
  state.outcome = 'written'
  expect((await download('a')).refusal).toBeUndefined()
})
