import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Change } from '../../domain/change.ts'
import { FairQueue } from '../../kit/fair-queue.ts'
import { Threads } from '../../kit/threads.ts'
import { buildSegment } from '../index/build.ts'
import { bulkChanges } from '../index/bulk-changes.ts'
import type { LoadOutcome } from '../index/file.ts'
import { singlePart } from '../index/index-data.ts'
import type { HeldParts } from '../index/part-files.ts'
import { IndexKeeper } from './index-keeper.ts'
import type { IndexSources } from './index-sources.ts'

let folder: string
let keeper: IndexKeeper | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'periplus-keeper-'))
  vi.useFakeTimers()
})
afterEach(async () => {
  vi.useRealTimers()
  await keeper?.close()
  rmSync(folder, { recursive: true })
})

/** Sources of an empty store whose parts a test replaces; counts what the keeper calls, and what it reports. */
function keep(replaced: Partial<IndexSources>) {
  const calls = { load: 0, build: 0, changes: 0 }
  const retries: number[] = []
  const whole: IndexSources = {
    file: join(folder, 'search.index'),
    load: async () => ({ outcome: 'missing' }),
    build: async () => ({ outcome: 'missing' }),
    lastSeq: async () => 0,
    changesAfter: async () => [],
    entry: async () => undefined,
    clock: { nowMs: () => Date.now(), monotonicUs: () => Math.floor(performance.now() * 1000) },
    threads: new Threads(),
    queue: new FairQueue({ running: 1, waiting: 1, waitingPerSubject: 1 }),
    onError: (_error, retryMs) => retries.push(retryMs),
    ...replaced,
  }
  keeper = new IndexKeeper({
    ...whole,
    load: (...options) => {
      calls.load++
      return whole.load(...options)
    },
    build: (...options) => {
      calls.build++
      return whole.build(...options)
    },
    changesAfter: (seq, limit) => {
      calls.changes++
      return whole.changesAfter(seq, limit)
    },
  })
  return { keeper, calls, retries }
}

const index = singlePart(await buildSegment([], { revision: 0, nowMs: 0 }))
const loaded = async (): Promise<LoadOutcome> => ({ outcome: 'loaded', index })
/** Returns changes of different places, with the numbers from 0. */
const changesOf = (count: number): Change[] =>
  Array.from({ length: count }, (_, seq) => ({ seq, kind: 'location', op: 'upsert', atMs: 0, id: BigInt(seq) }))
const diskFull = async () => {
  throw new Error('disk full')
}
/** Enough changes of different places to make a rebuild worth it, yet fewer than count as an import. */
const manyChanges = changesOf(9000).slice(3000)
const changesAfter = async (seq: number, limit: number) =>
  manyChanges.filter(change => change.seq > seq).slice(0, Math.min(limit, 3000))

describe('failures are retried with back-off, one report each', () => {
  it('of the first build', async () => {
    const { keeper, calls, retries } = keep({ build: diskFull })
    await vi.advanceTimersByTimeAsync(12_000)
    expect([calls, retries]).toEqual([{ load: 1, build: 4, changes: 0 }, [1000, 2000, 4000, 8000]])
    expect([keeper.ready, keeper.failures, keeper.failuresTotal]).toEqual([false, 4, 4])
  })

  it('of loads', async () => {
    const { calls, retries } = keep({ load: diskFull })
    await vi.advanceTimersByTimeAsync(12_000)
    expect([calls, retries]).toEqual([{ load: 4, build: 0, changes: 0 }, [1000, 2000, 4000, 8000]])
  })

  it('of builds whose file cannot be loaded', async () => {
    const { calls, retries } = keep({ build: async () => ({ outcome: 'damaged', reason: 'cut off' }) })
    await vi.advanceTimersByTimeAsync(12_000)
    expect([calls.build, retries]).toEqual([4, [1000, 2000, 4000, 8000]])
  })

  it('of rebuilds, while the index follows the changes of the store', async () => {
    const { keeper, calls, retries } = keep({ load: loaded, build: diskFull, changesAfter })
    await vi.advanceTimersByTimeAsync(12_000)
    expect([calls.build, retries]).toEqual([4, [1000, 2000, 4000, 8000]])
    expect(calls.changes).toBeGreaterThan(40)
    expect([keeper.ready, keeper.info()]).toEqual([true, expect.objectContaining({ revision: 8999, changes: 6000 })])
  })

  it.each([
    ['that fit into an overlay', 6000, { revision: 5999, changes: 5999 }],
    ['that are too many for an overlay', bulkChanges + 1, { revision: 0, changes: 0 }],
  ])('of builds after many changes at once %s', async (_, count, info) => {
    const bulk = changesOf(count)
    let imported = false
    const { keeper, retries } = keep({
      load: loaded,
      build: diskFull,
      lastSeq: async () => (imported ? count - 1 : 0),
      changesAfter: async (seq, limit) => (imported ? bulk.filter(change => change.seq > seq).slice(0, limit) : []),
    })
    await vi.advanceTimersByTimeAsync(1000)
    imported = true
    await vi.advanceTimersByTimeAsync(70_000)
    expect(retries.slice(0, 3)).toEqual([1000, 2000, 4000])
    expect(keeper.info()).toMatchObject(info)
  })

  it('of reading the change log', async () => {
    const { keeper, retries } = keep({ load: loaded, changesAfter: diskFull })
    await vi.advanceTimersByTimeAsync(12_000)
    expect([keeper.ready, retries]).toEqual([true, [1000, 2000, 4000, 8000]])
  })
})

describe('after a failure', () => {
  it('a success starts the delays over', async () => {
    let fails = true
    const { keeper, retries } = keep({ load: () => (fails ? diskFull() : loaded()), changesAfter: async () => [] })
    await vi.advanceTimersByTimeAsync(1500)
    fails = false
    await vi.advanceTimersByTimeAsync(2000)
    expect([keeper.ready, keeper.failures, keeper.failuresTotal, retries]).toEqual([true, 0, 2, [1000, 2000]])
  })

  it('a file that an import has put in place is loaded at once', async () => {
    let outcome: () => Promise<LoadOutcome> = async () => ({ outcome: 'missing' })
    const { keeper, calls } = keep({ load: () => outcome(), build: diskFull })
    await vi.advanceTimersByTimeAsync(8000)
    expect([keeper.ready, calls.build]).toEqual([false, 4])
    writeFileSync(join(folder, 'search.index'), 'an index')
    outcome = loaded
    await vi.advanceTimersByTimeAsync(250)
    expect([keeper.ready, calls.build]).toEqual([true, 4])
  })
})

/** Returns sources whose builds make an index of `revision`, and whose change log is pruned while `pruned` is true. */
function buildable(revision: number) {
  const state = { pruned: false, builtRevision: 0 }
  const load = async (): Promise<LoadOutcome> => ({
    outcome: 'loaded',
    index: { ...index, facts: { ...index.facts, revision: state.builtRevision } },
  })
  const sources: Partial<IndexSources> = {
    lastSeq: async () => revision,
    load,
    build: () => {
      state.builtRevision = revision
      state.pruned = false
      return load()
    },
  }
  return { state, sources }
}

it('a running index whose next changes were pruned is rebuilt once and swapped', async () => {
  const { state, sources } = buildable(50)
  const { keeper, calls, retries } = keep({
    ...sources,
    changesAfter: async () => (state.pruned ? undefined : []),
  })
  await vi.advanceTimersByTimeAsync(1000)
  expect([keeper.ready, keeper.info()?.revision, calls.build]).toEqual([true, 0, 0])
  state.pruned = true
  await vi.advanceTimersByTimeAsync(5000)
  expect([keeper.info()?.revision, calls.build, retries]).toEqual([50, 1, []])
})

it('an index whose overlay has grown is rebuilt once and swapped', async () => {
  const { sources } = buildable(8999)
  const { keeper, calls } = keep({ ...sources, changesAfter })
  await vi.advanceTimersByTimeAsync(10_000)
  expect([keeper.info(), calls.build]).toEqual([expect.objectContaining({ revision: 8999, changes: 0 }), 1])
})

it('an old file is served until another process has built a new one, but not instead of a build here', async () => {
  const old = { load: loaded, build: async () => undefined, lastSeq: async () => bulkChanges + 1 }
  const { keeper } = keep({ ...old, isBuiltElsewhere: true, changesAfter: async () => changesOf(bulkChanges) })
  await vi.advanceTimersByTimeAsync(1000)
  expect([keeper.ready, keeper.info()?.revision]).toEqual([true, 0])
  await keeper.close()
  const alone = keep(old)
  await vi.advanceTimersByTimeAsync(1000)
  expect(alone.keeper.ready).toBe(false)
})

it('a new file is loaded with the memory of the parts of the index before', async () => {
  const held: HeldParts[] = []
  const named = { ...index, partNames: ['search.index.part-1'] }
  keep({
    load: async (_signal, parts) => {
      held.push(parts)
      return { outcome: 'loaded', index: named }
    },
  })
  await vi.advanceTimersByTimeAsync(500)
  writeFileSync(join(folder, 'search.index'), 'an index')
  await vi.advanceTimersByTimeAsync(500)
  expect(held).toEqual([new Map(), new Map([['search.index.part-1', index.parts[0]]])])
})

it('close ends a build that is running', async () => {
  const { keeper, retries } = keep({
    build: signal =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')))
      }),
  })
  await vi.advanceTimersByTimeAsync(1000)
  await keeper.close()
  expect(retries).toEqual([])
})
