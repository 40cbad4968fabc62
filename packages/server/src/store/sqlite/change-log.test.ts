import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Sqlite } from '../connection.ts'
import { createSqliteChangeLog, prepareChangeRecorder } from './change-log.ts'
import { dataMigrations } from './migrations/data.ts'
import { openSqlite } from './open.ts'

let folder: string
let data: Sqlite
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'periplus-changes-'))
  data = openSqlite(join(folder, 'data.sqlite'), dataMigrations, { create: true, synchronous: 'NORMAL' })
  // Rows of a query without ORDER BY now arrive in descending order, so that a missing clause fails the test.
  data.pragma('reverse_unordered_selects = ON')
})
afterEach(() => {
  data.close()
  rmSync(folder, { recursive: true })
})

/** Adds a change of location 1 for each time. */
function addChanges(...timesMs: number[]): void {
  const recorderAt = prepareChangeRecorder(data)
  for (const atMs of timesMs) {
    const recorder = recorderAt(atMs)
    recorder.upserted('location', 1n)
    recorder.flush()
  }
}

test('changes are read in the order of their sequence numbers', async () => {
  addChanges(10, 20, 30)
  const found = await createSqliteChangeLog(data).after(0, 2)
  expect(found?.map(({ seq, atMs }) => [seq, atMs])).toEqual([
    [1, 10],
    [2, 20],
  ])
})

test('pruning removes the oldest changes first, and stops at the first retained one', async () => {
  addChanges(10, 20, 30, 40)
  const log = createSqliteChangeLog(data)
  expect(await log.prune({ beforeMs: 30, keepFromSeq: 100, limit: 1 })).toEqual({ removed: 1 })
  expect((await log.after(1, 10))?.map(({ seq }) => seq)).toEqual([2, 3, 4])
  expect(await log.prune({ beforeMs: 30, keepFromSeq: 100, limit: 10 })).toEqual({ removed: 1 })
  expect((await log.after(2, 10))?.map(({ seq }) => seq)).toEqual([3, 4])
})
