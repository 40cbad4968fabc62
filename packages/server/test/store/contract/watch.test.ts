import { expect, onTestFinished, test } from 'vitest'
import { newPartnerTerms } from '../../../src/domain/partner.ts'
import type { Engine, WatchListener } from '../../../src/domain/stores.ts'
import { everything } from '../../../src/domain/visibility.ts'
import { record } from '../../record.ts'
import { describeEngines, openAgain, put, store } from './engines.ts'

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
