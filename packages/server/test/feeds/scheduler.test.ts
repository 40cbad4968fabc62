/** Restarts of the feed scheduler's thread. */
import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { describeEngine } from '../../src/compose/engine.ts'
import { type FeedSchedulerMessage, startFeedScheduler } from '../../src/compose/feed-scheduler-thread.ts'
import type { Thread } from '../../src/kit/thread.ts'
import { Threads } from '../../src/kit/threads.ts'
import { configFor, importRows, scratch } from '../world.ts'

const hourMs = 3_600_000
const soon = { timeout: 20_000, interval: 10 }
const folder = scratch()
const workers: Worker[] = []
const remember = (worker: Worker) => workers.push(worker)
let scheduler: Thread<never, never, FeedSchedulerMessage> | undefined

beforeEach(() => {
  process.on('worker', remember)
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
  process.off('worker', remember)
  workers.length = 0
})

/** Starts the scheduler, ends its thread twice, each time after `ready`, and returns the counted failures. */
async function failuresOf(firstMs: number, ready: (worker: Worker) => Promise<unknown>): Promise<number[]> {
  const config = configFor(folder.path)
  await importRows(config, 'location', [{ id: 1, name: 'Place 1', lat: 1, lon: 1 }])
  const failures: number[] = []
  const threads = new Threads(death => failures.push(death.failures))
  scheduler = startFeedScheduler(
    threads,
    { engine: describeEngine(config), config, firstMs, everyMs: hourMs },
    () => {},
  )
  for (const count of [1, 2]) {
    await expect.poll(() => workers.length, soon).toBe(count)
    await ready(workers.at(-1)!)
    await workers.at(-1)!.terminate()
    await expect.poll(() => failures.length, soon).toBe(count)
  }
  return failures
}

test('a scheduler that ends within its first round each time restarts later each time', async () => {
  expect(await failuresOf(hourMs, async () => {})).toEqual([1, 2])
})

test('a round that ends starts the delays over', async () => {
  const roundEnded = (worker: Worker) =>
    new Promise(resolve =>
      worker.on(
        'message',
        ({ event }: { event?: FeedSchedulerMessage }) => event && 'roundEnded' in event && resolve(0),
      ),
    )
  expect(await failuresOf(0, roundEnded)).toEqual([1, 1])
})
