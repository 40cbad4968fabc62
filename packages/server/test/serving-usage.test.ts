import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openConfiguredEngine } from '../src/compose/engine.ts'
import { openUsage } from '../src/compose/serving-usage.ts'
import type { Engine } from '../src/domain/stores.ts'
import { createOutbox } from '../src/http/wire/outbox.ts'
import { Traffic } from '../src/http/wire/traffic.ts'
import { systemClock } from '../src/kit/clock.ts'
import { Threads } from '../src/kit/threads.ts'
import { openLayout } from '../src/store/folder/layout.ts'
import { Journal } from '../src/usage/journal.ts'
import { configFor, scratch } from './world.ts'

let folder: ReturnType<typeof scratch>
let engine: Engine
beforeEach(() => {
  folder = scratch()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await engine.close()
  folder.remove()
})

/** Opens usage on an empty data folder; `closed` lists the parts that have been closed, in order. */
async function open(prepare: (engine: Engine) => void = () => {}) {
  const config = configFor(folder.path)
  engine = openConfiguredEngine(config, { create: true })
  const layout = openLayout(folder.path)
  await engine.prepare()
  prepare(engine)
  const closed: string[] = []
  const { openFeedDownloads } = engine
  vi.spyOn(engine, 'openFeedDownloads').mockImplementation(async () => {
    const downloads = await openFeedDownloads.call(engine)
    const { close } = downloads
    return Object.assign(downloads, {
      close: async () => {
        closed.push('downloads')
        await close.call(downloads)
      },
    })
  })
  const closeJournal = Journal.prototype.close
  vi.spyOn(Journal.prototype, 'close').mockImplementation(async function (this: Journal) {
    closed.push('journal')
    await closeJournal.call(this)
  })
  const threads = new Threads()
  const { create } = threads
  vi.spyOn(threads, 'create').mockImplementation(options => {
    const thread = create.call(threads, options)
    const { stop } = thread
    return Object.assign(thread, {
      stop: async () => {
        closed.push('thread')
        await stop.call(thread)
      },
    }) as never
  })
  const parts = {
    engine,
    layout,
    threads,
    clock: systemClock,
    log: pino({ level: 'silent' }),
    outbox: createOutbox(),
    traffic: new Traffic([]),
    shared: undefined,
    cluster: undefined,
    onReceivers: () => {},
  }
  return { closed, usage: openUsage(config, parts) }
}

test('closes what it has opened when it fails', async () => {
  const { closed, usage } = await open(({ ledger }) => {
    vi.spyOn(ledger, 'rebase').mockRejectedValue(new Error('disk full'))
  })
  await expect(usage).rejects.toThrow('disk full')
  expect(closed).toEqual(['journal', 'downloads'])
})

test('close ends the thread after the journal, and closes every part although one fails', async () => {
  const { closed, usage } = await open()
  const { journal, close } = await usage
  journal.sync = () => Promise.reject(new Error('disk full'))
  await expect(close()).rejects.toThrow('disk full')
  expect(closed).toEqual(['journal', 'thread', 'downloads'])
})
