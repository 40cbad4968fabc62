import { expect, test } from 'vitest'
import { newPartnerTerms } from '../../../src/domain/partner.ts'
import { everything } from '../../../src/domain/visibility.ts'
import { record } from '../../record.ts'
import {
  describeEngines,
  describeSqlite,
  openAgain,
  openCopy,
  put,
  putReview,
  store,
  storeReviews,
  withWriter,
} from './engines.ts'

const key = (sourceId: string) => ({ source: 's', sourceId })
const partner = (id: string) => ({ id, name: 'Partner', ...newPartnerTerms, createdMs: 0, revision: 1 })
const texts = (text: string) => ({ text: [{ value: text }] })

describeSqlite('copy of the stores', ({ open }) => {
  test('holds everything of one moment, and nothing that is written later', async () => {
    const engine = await open()
    await withWriter(engine, async writer => {
      await writer.assignIds('location', [key('a'), key('b')])
      await writer.writeLocations([put(1n, 'Before'), put(2n)])
    })
    await storeReviews(engine, putReview(1n, 1n), putReview(2n, 1n))
    await engine.moderation.hide(2n, record())
    await engine.keys.createPartner(partner('acme'), record())
    const copy = await engine.openStoreCopy()
    expect(copy.revision).toBe(await engine.changes.lastSeq())
    expect(copy.bytes).toBeGreaterThan(0)
    await store(engine, put(1n, 'After'), put(3n))
    await engine.moderation.erase(1n, record())
    await engine.keys.createPartner(partner('late'), record())
    const parts = new Map<string, number>()
    const copied = await openCopy(engine, copy, (part, doneBytes, totalBytes) => {
      expect(doneBytes).toBeLessThanOrEqual(totalBytes)
      expect(doneBytes).toBeGreaterThanOrEqual(parts.get(part) ?? 0)
      parts.set(part, doneBytes)
    })
    await copy.close()
    expect(parts.size).toBeGreaterThan(0)
    expect(await copied.changes.lastSeq()).toBe(copy.revision)
    expect((await copied.locations.get(1n))?.location().names[0]?.value).toBe('Before')
    expect(await copied.locations.get(3n)).toBeUndefined()
    expect((await copied.reviews.get(1n))?.id).toBe(1n)
    expect((await copied.keys.partners(everything)).map(({ id }) => id)).toEqual(['acme'])
    expect(await copied.moderation.show(2n, record())).toBe('shown')
    await withWriter(copied, async writer =>
      expect(await writer.assignIds('location', [key('b'), key('c')])).toEqual([{ id: 2n }, { id: 3n }]),
    )
  })

  test('holds the downloads of feeds', async () => {
    const engine = await open()
    const downloads = await engine.openFeedDownloads()
    await downloads.start('k', 0, () => ({ snapshot: 'a', atMs: Date.now() }))
    const copy = await engine.openStoreCopy()
    const copied = await (await openCopy(engine, copy)).openFeedDownloads()
    await copy.close()
    expect((await copied.since('k', 0)).map(({ snapshot }) => snapshot)).toEqual(['a'])
    await copied.close()
    await downloads.close()
  })
})

describeSqlite('upkeep', ({ open }) => {
  test('an erasure leaves work pending, which any process can see and do', async () => {
    const engine = await open()
    const other = openAgain(engine)
    expect([await engine.upkeep.pendingCleanups(), await engine.upkeep.cleanUp()]).toEqual([[], []])
    await store(engine, put(1n))
    await storeReviews(engine, { op: 'put', review: { id: 1n, locationId: 1n, ...texts('To be erased.') } })
    const erased = await engine.moderation.erase(1n, record())
    expect(await other.upkeep.pendingCleanups()).toEqual(['truncate'])
    expect(await other.upkeep.cleanUp(erased?.texts)).toEqual([])
    expect(await engine.upkeep.pendingCleanups()).toEqual([])
  })

  test('does not disturb a reader of an older state, and finishes after it', async () => {
    const engine = await open()
    await store(engine, put(1n))
    await storeReviews(engine, putReview(1n, 1n))
    const source = await engine.openFeedSource()
    expect(await source.reviews.count()).toBe(1)
    await engine.moderation.erase(1n, record())
    await engine.upkeep.cleanUp()
    expect(await source.reviews.count()).toBe(1)
    await source.close()
    expect(await engine.upkeep.cleanUp()).toEqual([])
  })

  test('compacts no store while an import runs', async () => {
    const engine = await open()
    await store(engine, put(1n))
    await storeReviews(engine, putReview(1n, 1n))
    const lock = await openAgain(engine).locks.hold('import', 'An import is running.')
    const erased = await engine.moderation.erase(1n, record())
    expect(await engine.upkeep.cleanUp(erased?.texts)).not.toContain('truncate')
    await lock.release()
    expect(await engine.upkeep.cleanUp()).toEqual([])
    expect(await engine.locks.isHeld('import')).toBe(false)
  })

  test('finds no upgrade copies in stores that were never upgraded', async () => {
    const engine = await open()
    await engine.prepare()
    for (const part of ['all', 'data'] as const) expect(await engine.upkeep.removeUpgradeCopies(part)).toEqual([])
  })
})

describeEngines('integrity checks', ({ open, damageTotals }) => {
  test('find nothing wrong with sound stores, and name what they check', async () => {
    const engine = await open()
    await withWriter(engine, writer => writer.assignIds('location', [key('a'), key('b')]))
    await withWriter(engine, writer => writer.assignIds('review', [key('a'), key('b')]))
    await store(engine, put(1n), put(2n))
    await storeReviews(engine, putReview(1n, 1n), putReview(2n, 2n))
    await store(engine, { op: 'merge', id: 1n, into: 2n })
    await engine.moderation.hide(1n, record())
    for (const scope of ['copy', 'everything'] as const) {
      const checks = engine.integrityChecks(scope)
      expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length)
      for (const { problems } of checks) expect(await problems()).toEqual([])
    }
  })

  test('report wrong totals in a sentence', async () => {
    const engine = await open()
    for (const kind of ['location', 'review'] as const)
      await withWriter(engine, writer => writer.assignIds(kind, [key('a')]))
    await store(engine, put(1n))
    await storeReviews(engine, putReview(1n, 1n))
    await damageTotals(engine)
    const problems = await Promise.all(engine.integrityChecks('everything').map(check => check.problems()))
    expect(problems.flat()).toEqual([
      { file: expect.stringMatching(/./), problem: expect.stringMatching(/^Location 1: .*\.$/) },
    ])
  })

  test('report records whose ids were never assigned', async () => {
    const engine = await open()
    await store(engine, put(1n))
    const problems = await Promise.all(engine.integrityChecks('copy').map(check => check.problems()))
    expect(problems.flat()).toHaveLength(1)
  })
})
