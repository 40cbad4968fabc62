import { expect, test } from 'vitest'
import { systemClock } from '../../../src/kit/clock.ts'
import { record } from '../../record.ts'
import { describeEngines, openAgain } from './engines.ts'

const query = { state: 'shown', user: 's:u1', text: 'a \u0000 "\ud800"' } as const

describeEngines('scans of reviews (R-119)', ({ open }) => {
  test('are shown by each process until they are removed', async () => {
    const engine = await open(systemClock)
    const other = openAgain(engine)
    await engine.scans.create('job_1', query)
    expect(await other.scans.read('job_1')).toEqual({ query, ids: [] })
    expect([await other.scans.add('job_1', [5n, 2n ** 62n]), await engine.scans.add('job_1', [])]).toEqual([true, true])
    await engine.scans.add('job_1', [1n])
    expect((await other.scans.read('job_1'))?.ids).toEqual([5n, 2n ** 62n, 1n])
    await other.scans.remove('job_1')
    expect(await engine.scans.read('job_1')).toBeUndefined()
    expect([await engine.scans.add('job_1', [1n]), await engine.scans.add('job_1', [])]).toEqual([false, false])
  })

  test('are kept for a day, and not beyond an erasure', async () => {
    let shiftMs = 0
    const engine = await open({ ...systemClock, nowMs: () => Date.now() + shiftMs })
    await engine.scans.create('job_old', query)
    shiftMs = 86_400_001
    expect(await engine.scans.read('job_old')).toBeUndefined()
    shiftMs = 0
    await engine.scans.create('job_new', query)
    await engine.moderation.eraseUser('s:u1', () => [], record())
    // In a database, the erasure itself removes them, because a node of another release may have made it.
    if (engine.descriptor.kind === 'sqlite') await engine.scans.clear()
    expect(await engine.scans.read('job_new')).toBeUndefined()
    expect(await engine.scans.add('job_new', [1n])).toBe(false)
  })
})
