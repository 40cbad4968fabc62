import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Fold, openEnd } from '../domain/ledger.ts'
import type { Engine } from '../domain/stores.ts'
import { openEngine } from '../store/engine.ts'
import { FoldRounds } from './fold-rounds.ts'
import { Journal } from './journal.ts'
import { listJournalSync } from './journal-files.ts'
import { journalIn } from './journal-reader.ts'
import { maintainLedger } from './maintain-ledger.ts'
import { record, someTimeMs } from './records.fixture.ts'
import { buildReport } from './report.ts'

let folder: string
let engine: Engine
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'periplus-ledger-'))
  engine = openEngine({ kind: 'sqlite', folder }, { create: true })
})
afterEach(async () => {
  await engine.close()
  rmSync(folder, { recursive: true })
})

it('folds and applies retention in the background, continues after a failure, and stops when aborted', async () => {
  const { ledger } = engine
  const journal = new Journal(folder, { rotateBytes: 2000 })
  const stop = new AbortController()
  const errors: unknown[] = []
  let commits = 0
  const failing = {
    ...ledger,
    commit: async (fold: Fold) => {
      if (++commits === 2) throw new Error('disk full')
      return ledger.commit(fold)
    },
  }
  const nowMs = () => someTimeMs
  const maintained = maintainLedger(new FoldRounds({ journal: journalIn(folder), ledger: failing, nowMs }), {
    folder,
    nowMs,
    signal: stop.signal,
    onError: error => errors.push(error),
    foldEveryMs: 5,
    copyEveryMs: 5,
    retainEveryMs: 0,
  })
  const counted = async () => buildReport(await ledger.slots({ fromMs: 0, toMs: openEnd }), []).calls
  for (let i = 1; i <= 100; i++) {
    await journal.append(record())
    if (i % 10 === 0) await expect.poll(counted).toBe(i)
  }
  await expect
    .poll(() =>
      listJournalSync(folder)
        .slice(0, -1)
        .map(file => file.form),
    )
    .not.toContain('plain')
  stop.abort()
  await maintained
  await journal.close()
  expect(errors).toHaveLength(1)
  expect(await counted()).toBe(100)
})

it('folds while the blobs and the request log do not answer, also at its end', async () => {
  const { ledger } = engine
  const journal = new Journal(folder, {})
  const stop = new AbortController()
  const { promise: answer, resolve } = Promise.withResolvers<void>()
  const started = { shipping: 0, filling: 0 }
  const wait = (name: keyof typeof started) => {
    started[name]++
    return answer
  }
  const nowMs = () => someTimeMs
  const maintained = maintainLedger(new FoldRounds({ journal: journalIn(folder), ledger, nowMs }), {
    folder,
    shipping: { run: () => wait('shipping'), dropExpired: async () => {}, has: () => false },
    afterFold: () => wait('filling'),
    nowMs,
    signal: stop.signal,
    onError: error => expect.fail(String(error)),
    foldEveryMs: 5,
    copyEveryMs: 5,
  })
  const counted = async () => buildReport(await ledger.slots({ fromMs: 0, toMs: openEnd }), []).calls
  await expect.poll(() => started).toEqual({ shipping: 1, filling: 1 })
  await journal.append(record())
  await expect.poll(counted).toBe(1)
  await journal.append(record())
  stop.abort()
  await expect.poll(counted).toBe(2)
  resolve()
  await maintained
  await journal.close()
})
