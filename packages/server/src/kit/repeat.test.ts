import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { repeat } from './repeat.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it.each([
  [
    'throws at once',
    () => {
      throw new Error('no disk')
    },
  ],
  ['rejects', () => Promise.reject(new Error('no disk'))],
])('a task that %s is reported and runs again', async (_, task) => {
  const errors: string[] = []
  const repeated = repeat(task, { everyMs: 100, onError: error => errors.push(String(error)) })
  await vi.advanceTimersByTimeAsync(250)
  expect(errors).toEqual(Array(3).fill('Error: no disk'))
  await repeated.stop()
  await vi.advanceTimersByTimeAsync(250)
  expect(errors).toHaveLength(3)
})

it('one run of the task is active at a time, and stop waits for it', async () => {
  const runs: PromiseWithResolvers<void>[] = []
  const run = () => {
    runs.push(Promise.withResolvers())
    return runs.at(-1)!.promise
  }
  const repeated = repeat(run, { everyMs: 100, onError: () => {} })
  await vi.advanceTimersByTimeAsync(250)
  expect(runs).toHaveLength(1)
  runs[0]!.resolve()
  await vi.advanceTimersByTimeAsync(50)
  expect(runs).toHaveLength(2)
  let stopped = false
  const stop = repeated.stop().then(() => {
    stopped = true
  })
  await vi.advanceTimersByTimeAsync(100)
  expect([stopped, runs.length]).toEqual([false, 2])
  runs[1]!.resolve()
  await stop
})
