import { expect, it, onTestFinished, vi } from 'vitest'
import type { JournalFailure } from '../domain/usage.ts'
import { WriteState } from './write-state.ts'

it.each(['ENOSPC', 'EROFS', 'EIO', 'EMFILE'])(
  'reports the first failure and the recovery from %s once each',
  async code => {
    const changes: (JournalFailure | undefined)[] = []
    let probes = 0
    const state = new WriteState({
      probe: async () => {
        if (++probes < 3) throw Object.assign(new Error(code), { code })
      },
      probeEveryMs: 1,
      onChange: failure => changes.push(failure),
    })
    state.worked()
    expect(changes).toEqual([])
    const failure = { code, reason: `The usage journal cannot be written (${code}).` }
    for (let i = 0; i < 3; i++) expect(state.failed(Object.assign(new Error(code), { code }))).toEqual(failure)
    expect([state.failure, changes]).toEqual([failure, [failure]])
    await expect.poll(() => state.failure).toBeUndefined()
    expect([probes, changes]).toEqual([3, [failure, undefined]])
  },
)

it('close waits for a running probe, and no probe starts after it', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const probed = Promise.withResolvers<void>()
  let probes = 0
  const state = new WriteState({
    probe: () => {
      probes++
      return probed.promise
    },
    probeEveryMs: 1,
    onChange: () => {},
  })
  state.failed(new Error('EIO'))
  await vi.advanceTimersByTimeAsync(1)
  expect(probes).toBe(1)
  let isClosed = false
  const closing = state.close().then(() => {
    isClosed = true
  })
  await vi.advanceTimersByTimeAsync(10)
  expect(isClosed).toBe(false)
  probed.reject(new Error('EIO'))
  await closing
  state.failed(new Error('EIO'))
  await vi.advanceTimersByTimeAsync(10)
  expect(probes).toBe(1)
})
