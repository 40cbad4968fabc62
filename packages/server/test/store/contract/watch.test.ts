import { expect, onTestFinished, test } from 'vitest'
import { newPartnerTerms } from '../../../src/domain/partner.ts'
import type { Engine, PostgresDescriptor, WatchListener } from '../../../src/domain/stores.ts'
import { everything } from '../../../src/domain/visibility.ts'
import { PostgresPool, workTimeouts } from '../../../src/store/postgres/pool.ts'
import { execute } from '../../engines.ts'
import { record } from '../../record.ts'
import { describeEngines, describePostgres, openAgain, put, store } from './engines.ts'

/** Watches until the test ends. */
function watch(engine: Engine, what: 'keys' | 'data', listener: Partial<WatchListener>): void {
  const watching = engine.watch(what, { changed: async () => {}, failed: () => {}, ...listener })
  onTestFinished(() => watching.stop())
}

const partner = (id: string) => ({ id, name: 'Partner', ...newPartnerTerms, createdMs: 0, revision: 1 })

describeEngines('watch', ({ open }) => {
  test('notifies of keys and partners, and of data, that another process has committed', async () => {
    const engine = await open()
    await engine.prepare()
    const other = openAgain(engine)
    const seen: { partner?: unknown; lastSeq?: number } = {}
    watch(engine, 'keys', {
      changed: async () => {
        seen.partner = (await engine.keys.partner('acme', everything))?.id
      },
    })
    watch(engine, 'data', {
      changed: async () => {
        seen.lastSeq = await engine.changes.lastSeq()
      },
    })
    await other.keys.createPartner(partner('acme'), record())
    await store(other, put(1n), put(2n))
    await expect.poll(() => seen).toEqual({ partner: 'acme', lastSeq: 2 })
    await store(other, put(3n))
    await expect.poll(() => seen.lastSeq).toBe(3)
  })

  test('reports a call that failed, and repeats it', async () => {
    const engine = await open()
    await engine.prepare()
    const failures: unknown[] = []
    let calls = 0
    const changed = async () => {
      if (++calls === 1) throw new Error('failed once')
    }
    watch(engine, 'keys', { changed, failed: error => failures.push(error) })
    await openAgain(engine).keys.createPartner(partner('acme'), record())
    await expect.poll(() => calls).toBe(2)
    expect(failures).toEqual([new Error('failed once')])
  })

  test('stop waits for the call under way, and prevents later ones', async () => {
    const engine = await open()
    await engine.prepare()
    const other = openAgain(engine)
    const [entered, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let calls = 0
    let ended = false
    const changed = async () => {
      calls++
      entered.resolve()
      await left.promise
      ended = true
    }
    const watching = engine.watch('keys', { changed, failed: () => {} })
    await other.keys.createPartner(partner('acme'), record())
    await entered.promise
    const stopped = watching.stop().then(() => ended)
    await other.keys.createPartner(partner('another'), record())
    left.resolve()
    expect(await stopped).toBe(true)
    expect(calls).toBe(1)
  })
})

describePostgres('watch of keys', ({ open }) => {
  test('notifies while calls use all connections of requests', async () => {
    const engine = await open()
    await engine.prepare()
    const { url } = engine.descriptor as PostgresDescriptor
    const other = new PostgresPool({ url, connections: 1, timeouts: workTimeouts })
    onTestFinished(() => other.close())
    let noticed = Promise.withResolvers<unknown>()
    watch(engine, 'keys', { changed: async () => noticed.resolve(await engine.keys.revision()) })
    /** Returns the number of calls that ended before the watch noticed a change. */
    const endedBefore = async () => {
      let [ended, before] = [0, 0]
      let calls: Promise<unknown>[] = []
      const end = () => ended++
      await other.transaction(async session => {
        await session.exec('LOCK TABLE partners')
        calls = Array.from({ length: 8 }, () => engine.keys.partner('acme', everything).then(end, end))
        noticed = Promise.withResolvers()
        await execute(url, 'UPDATE revision SET access = access + 1')
        await noticed.promise
        before = ended
      })
      await Promise.all(calls)
      return before
    }
    // Calls wait ten seconds for the lock: a machine that is slower repeats.
    await expect.poll(endedBefore, { timeout: 30_000 }).toBe(0)
  })
})
