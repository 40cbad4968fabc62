/** Renaming of files that earlier releases stored under other names. */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import { filesOf } from '../store-files.ts'
import { configFor, importRows, scratch } from '../world.ts'

const folder = scratch()
afterAll(folder.remove)
const oldTable = 'takings'

/** Creates a data folder with started downloads, as release 0.1.0 stored them before its process was killed. */
async function folderOfOldRelease(name: string) {
  const config = configFor(join(folder.path, name))
  await importRows(config, 'location', [{ id: 1, name: 'Place', lat: 1, lon: 1 }])
  const { downloads } = filesOf(config.data)
  const oldFile = join(dirname(downloads), 'takings.sqlite')
  mkdirSync(dirname(oldFile), { recursive: true })
  const db = new Database(oldFile)
  db.pragma('journal_mode = WAL')
  db.exec(`CREATE TABLE takings (key_id TEXT NOT NULL, snapshot TEXT NOT NULL, at_ms INTEGER NOT NULL,
    PRIMARY KEY (key_id, at_ms, snapshot)) STRICT, WITHOUT ROWID`)
  const atMs = Date.now()
  db.prepare(`INSERT INTO ${oldTable} VALUES (?, ?, ?)`).run('key_1', 'reviews 2026-11-20.0-v1', atMs)
  db.close()
  return { config, oldFile, downloads, atMs }
}

test('takings.sqlite is renamed to downloads.sqlite, and its downloads still count', async () => {
  const { config, oldFile, downloads, atMs } = await folderOfOldRelease('opened')
  const engine = openConfiguredEngine(config, { create: false })
  const opened = await engine.openFeedDownloads()
  expect(await opened.since('key_1', 0)).toEqual([{ snapshot: 'reviews 2026-11-20.0-v1', atMs }])
  await opened.close()
  await engine.close()
  expect([existsSync(oldFile), existsSync(downloads)]).toEqual([false, true])
})

test('preparing the engine also renames the file', async () => {
  const { config, oldFile, downloads } = await folderOfOldRelease('prepared')
  const engine = openConfiguredEngine(config, { create: false })
  await engine.prepare()
  await engine.close()
  expect([existsSync(oldFile), existsSync(downloads)]).toEqual([false, true])
})
