import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Change } from '../../domain/change.ts'
import { Threads } from '../../kit/threads.ts'
import { buildSegment } from '../index/build.ts'
import type { LoadOutcome } from '../index/file.ts'
import { IndexKeeper, type IndexSources } from './index-keeper.ts'

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
    build: async () => {},
    lastSeq: async () => 0,
    changesAfter: async () => [],
    entry: async () => undefined,
    clock: { nowMs: () => Date.now(), monotonicUs: () => Math.floor(performance.now() * 1000) },
    threads: new Threads(),
    onError: (_error, retryMs) => retries.push(retryMs),
    ...replaced,
  }
  keeper = new IndexKeeper({
    ...whole,
    load: signal => {
      calls.load++
      return whole.load(signal)
    },
    build: signal => {
      calls.build++
      return whole.build(signal)
    },
    changesAfter: (seq, limit) => {
      calls.changes++
      return whole.changesAfter(seq, limit)
    },
  })
  return { keeper, calls, retries }
}

const segment = await buildSegment([], { revision: 0, nowMs: 0 })
const loaded = async (): Promise<LoadOutcome> => ({ outcome: 'loaded', segment })
const diskFull = async () => {
  throw new Error('disk full')
}
/** Enough changes of different places to make a rebuild worth it, yet fewer than count as an import. */
const manyChanges: Change[] = [1, 2].flatMap(half =>
  Array.from({ length: 3000 }, (_, i) => ({
    ...({ seq: half * 3000 + i, kind: 'location', op: 'upsert', atMs: 0 } as const),
    id: BigInt(half * 3000 + i),
  })),
)
const changesAfter = async (seq: number, limit: number) =>
  manyChanges.filter(change => change.seq > seq).slice(0, Math.min(limit, 3000))

describe('failures are retried with back-off, one report each', () => {
  it('of the first build', async () => {
    const { keeper, calls, retries } = keep({ build: diskFull })
    await vi.advanceTimersByTimeAsync(12_000)
    expect([calls, retries]).toEqual([{ load: 4, build: 4, changes: 0 }, [1000, 2000, 4000, 8000]])
    expect([keeper.ready, keeper.failures, keeper.failuresTotal]).toEqual([false, 4, 4])
  })

  it('of loads', async () => {
    const { calls, retries } = keep({ load: diskFull })
    await vi.advanceTimersByTimeAsync(12_000)
    expect([calls, retries]).toEqual([{ load: 4, build: 0, changes: 0 }, [1000, 2000, 4000, 8000]])
  })

  it('of builds whose file cannot be loaded', async () => {
    const { calls, retries } = keep({ load: async () => ({ outcome: 'damaged', reason: 'cut off' }) })
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
