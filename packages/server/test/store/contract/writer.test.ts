import { describe, expect, test } from 'vitest'
import type { Engine } from '../../../src/domain/stores.ts'
import { describeEngines, gather, put, putReview, withWriter } from './engines.ts'

const key = (sourceId: string, id?: bigint) => ({ source: 's', sourceId, ...(id !== undefined && { id }) })

describeEngines('writer', ({ open }) => {
  test('assigns an id to each new or known key in any order, without losing or repeating ids (R-20)', async () => {
    await withWriter(await open(), async writer => {
      const assign = async (...keys: ReturnType<typeof key>[]) =>
        (await writer.assignIds('review', keys)).map(one => ('id' in one ? one.id : one.conflict))
      expect(await assign(key('a'), key('b'), key('a'), key('c'))).toEqual([1n, 2n, 1n, 3n])
      const mixed = [key('b'), key('d'), key('x', 5n), key('e'), key('c'), key('f')]
      expect(await assign(...mixed)).toEqual([2n, 4n, 5n, 6n, 3n, 7n])
      expect(await assign(key('a'), key('b', 9n), key('g'))).toEqual([1n, 'id_changed', 8n])
    })
  })

  test('does not find a removed place, and finds the survivor of a merged place', async () => {
    await withWriter(await open(), async writer => {
      const refs = ['a', 'b'].map(sourceId => ({ source: 's', sourceId }))
      await writer.assignIds('location', refs)
      await writer.writeLocations([put(1n), put(2n)])
      expect(await writer.findLocations(refs)).toEqual([1n, 2n])
      await writer.writeLocations([{ op: 'merge', id: 1n, into: 2n }])
      expect(await writer.findLocations([...refs, { id: 1n }])).toEqual([2n, 2n, 2n])
      await writer.writeLocations([{ op: 'delete', id: 2n }])
      expect((await writer.findLocations(refs))[1]).toBeUndefined()
    })
  })

  test('returns the outcome of each write', async () => {
    await withWriter(await open(), async writer => {
      expect(await writer.writeLocations([put(1n), put(1n), put(1n, 'Renamed'), put(2n)])).toEqual([
        'added',
        'unchanged',
        'changed',
        'added',
      ])
      expect(await writer.writeReviews([putReview(1n, 1n), putReview(1n, 1n), { op: 'delete', id: 2n }])).toEqual([
        'added',
        'unchanged',
        'unchanged',
      ])
      const merges = [
        { op: 'merge', id: 1n, into: 2n },
        { op: 'merge', id: 2n, into: 1n },
        { op: 'delete', id: 1n },
      ] as const
      expect(await writer.writeLocations(merges)).toEqual(['changed', 'merge_cycle', 'removed'])
    })
  })

  test('a dry run returns the same outcomes and stores nothing', async () => {
    const engine = await open()
    const writer = await engine.openWriter({ dryRun: true })
    const [assigned] = await writer.assignIds('location', [key('a')])
    const { id } = assigned as { id: bigint }
    expect(await writer.writeLocations([put(id)])).toEqual(['added'])
    // Later batches find the same id and place, and other writers need not wait.
    expect(await writer.assignIds('location', [key('a')])).toEqual([{ id }])
    expect(await writer.findLocations([{ source: 's', sourceId: 'a' }])).toEqual([id])
    await withWriter(engine, async other => void (await other.assignIds('location', [key('b')])))
    await writer.close()
    expect(await engine.locations.get(id)).toBeUndefined()
    await withWriter(engine, async again => {
      expect(await again.findIds('location', [key('a')])).toEqual([undefined])
    })
  })

  test('a dry run follows merges of two places into each other to an end', async () => {
    const engine = await open()
    await withWriter(engine, async writer => void (await writer.writeLocations([put(1n), put(2n)])))
    const writer = await engine.openWriter({ dryRun: true })
    expect(await writer.writeLocations([{ op: 'merge', id: 1n, into: 2n }])).toEqual(['changed'])
    await writer.writeLocations([{ op: 'merge', id: 2n, into: 1n }])
    expect(await writer.findLocations([{ id: 1n }, { id: 2n }])).toEqual([2n, 2n])
    await writer.close()
  })

  test('a set of ids reports which ids are new', async () => {
    await withWriter(await open(), async writer => {
      const seen = await writer.openSeenIds()
      expect(await seen.add([3n, 1n, 3n])).toEqual([true, true, false])
      expect(await seen.has([1n, 2n, 3n])).toEqual([true, false, true])
      await seen.close()
    })
  })

  describe('missing records of a full sync', () => {
    /** Opens an engine with 2,500 places of the source `s`, one of another source, and one with only an id. */
    async function openPopulated(): Promise<Engine> {
      const engine = await open()
      await withWriter(engine, async writer => {
        const keys = Array.from({ length: 2500 }, (_, i) => key(`p${i}`))
        await writer.assignIds('location', [...keys, { source: 'other', sourceId: 'p' }, { source: 's', id: 9000n }])
        await writer.writeLocations([...Array.from({ length: 2501 }, (_, i) => put(BigInt(i + 1))), put(9000n)])
      })
      return engine
    }

    test('are the records of the source that were not kept, in ascending order', async () => {
      await withWriter(await openPopulated(), async writer => {
        const kept = await writer.openSeenIds()
        await kept.add(Array.from({ length: 2496 }, (_, i) => BigInt(i + 1)))
        const missing = await writer.openMissing('location', 's', kept)
        expect([missing.stored, missing.count]).toEqual([2501, 5])
        expect(await gather(missing.batches(2))).toEqual([2497n, 2498n, 2499n, 2500n, 9000n])
        await missing.close()
        await kept.close()
      })
    })

    test('can be searched for both kinds at the same time', async () => {
      await withWriter(await openPopulated(), async writer => {
        const kept = await writer.openSeenIds()
        const kinds = ['review', 'location'] as const
        const found = await Promise.all(kinds.map(kind => writer.openMissing(kind, 's', kept)))
        expect(found.map(({ count }) => count)).toEqual([0, 2501])
        for (const one of found) await one.close()
      })
    })

    test('do not include merged or removed places', async () => {
      await withWriter(await openPopulated(), async writer => {
        await writer.writeLocations([
          { op: 'merge', id: 1n, into: 2n },
          { op: 'delete', id: 3n },
        ])
        const missing = await writer.openMissing('location', 's', await writer.openSeenIds())
        expect(missing.count).toBe(2499)
        expect(await gather(missing.batches(10_000))).not.toContain(1n)
        await missing.close()
      })
    })
  })
})
