import { expect, it } from 'vitest'
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
