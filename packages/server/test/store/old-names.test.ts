/** Files that earlier releases have left under other names. */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { engineOf } from '../../src/compose/engine.ts'
import { filesOf } from '../store-files.ts'
import { configFor, importRows, scratch } from '../world.ts'

const folder = scratch()
afterAll(folder.remove)

/** A data folder with begun downloads, as release 0.1.0 stored them; its process was killed. */
async function folderWithTakings(name: string) {
  const config = configFor(join(folder.path, name))
  await importRows(config, 'location', [{ id: 1, name: 'Place', lat: 1, lon: 1 }])
  const { downloads } = filesOf(config.data)
  const takings = join(dirname(downloads), 'takings.sqlite')
  mkdirSync(dirname(takings), { recursive: true })
  const db = new Database(takings)
  db.pragma('journal_mode = WAL')
  db.exec(`CREATE TABLE takings (key_id TEXT NOT NULL, snapshot TEXT NOT NULL, at_ms INTEGER NOT NULL,
    PRIMARY KEY (key_id, at_ms, snapshot)) STRICT, WITHOUT ROWID`)
  const atMs = Date.now()
  db.prepare('INSERT INTO takings VALUES (?, ?, ?)').run('key_1', 'reviews 2026-11-20.0-v1', atMs)
  db.close()
  return { config, takings, downloads, atMs }
}

test('takings.sqlite becomes downloads.sqlite, and what it holds still counts', async () => {
  const { config, takings, downloads, atMs } = await folderWithTakings('opened')
  const engine = engineOf(config, { create: false })
  const opened = await engine.openFeedDownloads()
  expect(await opened.since('key_1', 0)).toEqual([{ snapshot: 'reviews 2026-11-20.0-v1', atMs }])
  await opened.close()
  await engine.close()
  expect([existsSync(takings), existsSync(downloads)]).toEqual([false, true])
})

test('a backup has it under its new name', async () => {
  const { config, takings, downloads } = await folderWithTakings('prepared')
  const engine = engineOf(config, { create: false })
  await engine.prepare()
  await engine.close()
  expect([existsSync(takings), existsSync(downloads)]).toEqual([false, true])
})
