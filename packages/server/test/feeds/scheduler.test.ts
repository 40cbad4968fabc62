/** Restarts of the feed scheduler's thread. */
import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { describeEngine } from '../../src/compose/engine.ts'
import { type FeedSchedulerMessage, startFeedScheduler } from '../../src/compose/feed-scheduler-thread.ts'
import type { Thread } from '../../src/kit/thread.ts'
import { Threads } from '../../src/kit/threads.ts'
import { configFor, importRows, scratch } from '../world.ts'

const hourMs = 3_600_000
const folder = scratch()
let endThread: ((worker: Worker) => void) | undefined
let scheduler: Thread<never, never, FeedSchedulerMessage> | undefined

beforeEach(() => {
  // Minutes pass between two readings, as they do when builds take long.
  let nowMs = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    nowMs += 5 * 60_000
    return nowMs
  })
})
afterEach(async () => {
  await scheduler?.stop()
  vi.restoreAllMocks()
  if (endThread) process.off('worker', endThread)
})

/** Starts the scheduler, lets `end` end its thread twice, and returns the counted failures. */
async function failuresOf(end: (worker: Worker) => void): Promise<number[]> {
  const config = configFor(folder.path)
  await importRows(config, 'location', [{ id: 1, name: 'Place 1', lat: 1, lon: 1 }])
  const failures: number[] = []
  const threads = new Threads(death => failures.push(death.failures))
  endThread = end
  process.on('worker', end)
  scheduler = startFeedScheduler(threads, { engine: describeEngine(config), config, everyMs: hourMs }, () => {})
  await expect.poll(() => failures.length).toBe(2)
  return failures
}

test('a scheduler that ends within its first round each time restarts later each time', async () => {
  expect(await failuresOf(worker => void worker.terminate())).toEqual([1, 2])
})

test('a round that ends starts the delays over', async () => {
  const endAfterRound = (worker: Worker) => {
    worker.on('message', ({ event }: { event?: FeedSchedulerMessage }) => {
      if (event && 'roundEnded' in event) void worker.terminate()
    })
  }
  expect(await failuresOf(endAfterRound)).toEqual([1, 1])
})
