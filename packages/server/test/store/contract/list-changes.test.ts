import { expect, test } from 'vitest'
import { isFault } from '../../../src/domain/fault.ts'
import type { ChangesStart } from '../../../src/domain/place-change.ts'
import type { Scope } from '../../../src/domain/scope.ts'
import type { Engine } from '../../../src/domain/stores.ts'
import { listChanges } from '../../../src/usecases/partner/list-changes.ts'
import { settableClock } from '../../clock.ts'
import { describeEngines, put, putReview, store, storeReviews } from './engines.ts'

const all = Number.MAX_SAFE_INTEGER

/** Returns a part of the changes as texts, its end, and whether there are more; or the code of the fault. */
async function list(engine: Engine, since: ChangesStart, limit = 100, scope: Scope = {}) {
  const found = await listChanges(engine, scope, { since, limit })
  if (isFault(found)) return found.fault
  const changes = found.changes.map(({ id, type, mergedInto, atMs }) =>
    [id, type.replace('location.', ''), mergedInto, `at ${atMs}`].filter(part => part !== undefined).join(' '),
  )
  return [changes, found.through, found.hasMore]
}

describeEngines('list of changes', ({ open }) => {
  /** Stores, at each second: two places, a review and a merge, a removal. */
  async function threeSeconds(): Promise<Engine> {
    const clock = settableClock(1000)
    const engine = await open(clock)
    await store(engine, put(1n), put(2n), put(3n))
    clock.ms = 2000
    await storeReviews(engine, putReview(7n, 1n))
    await store(engine, { op: 'merge', id: 2n, into: 1n })
    clock.ms = 3000
    await store(engine, { op: 'delete', id: 3n })
    return engine
  }

  test('has each place once with its latest change, that of its reviews included', async () => {
    const engine = await threeSeconds()
    const last = await engine.changes.lastSeq()
    expect(await list(engine, { seq: 0 })).toEqual([
      ['1 changed at 2000', '2 merged 1 at 2000', '3 removed at 3000'],
      last,
      false,
    ])
    expect(await list(engine, { seq: last })).toEqual([[], last, false])
  })

  test('starts at a time', async () => {
    const engine = await threeSeconds()
    const from = async (ms: number) => ((await list(engine, { ms })) as unknown[])[0]
    expect(await from(0)).toHaveLength(3)
    expect(await from(1000)).toHaveLength(3)
    expect(await from(1001)).toEqual(['1 changed at 2000', '2 merged 1 at 2000', '3 removed at 3000'])
    expect(await from(3000)).toEqual(['3 removed at 3000'])
    expect(await from(3001)).toEqual([])
  })

  test('parts continue one another without gaps', async () => {
    const engine = await open()
    await store(engine, ...Array.from({ length: 25 }, (_, i) => put(BigInt(i) + 1n)))
    const seen: string[] = []
    let part = await list(engine, { seq: 0 }, 10)
    for (;;) {
      const [changes, through, hasMore] = part as [string[], number, boolean]
      seen.push(...changes)
      if (!hasMore) break
      part = await list(engine, { seq: through }, 10)
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, i) => `${i + 1} changed at 0`))
  })

  test('leaves out places outside the scope, but no removed ones', async () => {
    const engine = await threeSeconds()
    const last = await engine.changes.lastSeq()
    const elsewhere: Scope = { countries: ['NZ'] }
    expect(await list(engine, { seq: 0 }, 100, elsewhere)).toEqual([['3 removed at 3000'], last, false])
  })

  test('reports that changes have been pruned, or that the number is of other data', async () => {
    const engine = await threeSeconds()
    const last = await engine.changes.lastSeq()
    await engine.changes.prune({ beforeMs: 2000, keepFromSeq: all, limit: 100 })
    expect(await list(engine, { seq: 0 })).toBe('changes_gone')
    expect(await list(engine, { ms: 500 })).toBe('changes_gone')
    expect(await list(engine, { ms: 3000 })).toEqual([['3 removed at 3000'], last, false])
    expect(await list(engine, { seq: last + 1 })).toBe('changes_gone')
  })

  test('of no data is empty', async () => {
    const engine = await open()
    expect(await list(engine, { ms: 0 })).toEqual([[], 0, false])
    expect(await list(engine, { seq: 0 })).toEqual([[], 0, false])
  })
})
