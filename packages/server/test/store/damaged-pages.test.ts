/** Pages and records of a store that are damaged while a service serves them. */
import { readFileSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import { StoreFailure } from '../../src/domain/store-errors.ts'
import { everything } from '../../src/domain/visibility.ts'
import { openEngine } from '../../src/store/engine.ts'
import { periplus } from '../cli.ts'
import { send } from '../http-client.ts'
import { filesOf } from '../store-files.ts'
import { configFor, importRows, scratch, startWorld } from '../world.ts'

const pageBytes = 4096

/** Changes the bytes of a store file in place, after moving everything from its log into it. */
function change(file: string, edit: (bytes: Buffer) => void): void {
  const db = new Database(file)
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  const bytes = readFileSync(file)
  edit(bytes)
  writeFileSync(file, bytes, { flag: 'r+' })
}

/** Overwrites the type of every page but the first, which holds the schema. */
function breakPages(bytes: Buffer): void {
  for (let at = pageBytes; at < bytes.length; at += pageBytes) bytes[at] = 0xff
}

/** Removes the opening brace of every record. */
function breakRecords(bytes: Buffer): void {
  for (let at = bytes.indexOf('{"'); at !== -1; at = bytes.indexOf('{"', at + 1)) bytes[at] = 0x3f
}

test.each([
  ['pages', breakPages],
  ['records', breakRecords],
])('damaged %s are a 500 without details, a metric and a readiness note', async (_, damage) => {
  const world = await startWorld({ 'server.adminPort': 0, 'cache.locations': 1 })
  onTestFinished(() => world.close())
  const count = async () => {
    const { text } = await send(world.adminUrl!, '/metrics')
    return Number(/^periplus_store_failures_total\{store="data.sqlite",kind="damaged"\} (\d+)$/m.exec(text)?.[1])
  }
  expect((await world.get('/locations/1')).status).toBe(200)
  expect(await count()).toBe(0)
  change(filesOf(world.config.data).data, damage)

  for (const path of ['/locations/2', '/locations/2/reviews', '/locations?ids=3,4']) {
    const reply = await world.get(path)
    expect([path, reply.status]).toEqual([path, 500])
    expect(reply.headers['x-billed-units']).toBe('0')
    expect(reply.text).not.toMatch(/sqlite|database|malformed|JSON|disk image|\/tmp/i)
  }
  expect(await count()).toBeGreaterThanOrEqual(3)
  const ready = await world.get('/readyz')
  expect(ready.status).toBe(200)
  expect(ready.json()).toMatchObject({
    notes: expect.arrayContaining([
      expect.stringMatching(/^data\.sqlite is damaged: \d+ reads have failed\. Run 'periplus verify'/),
    ]),
  })
  const verified = await periplus(['verify', '--data', world.config.data])
  expect(verified.code).toBe(1)
  expect(verified.stdout + verified.stderr).toContain('data.sqlite')
})

test('engines that were opened from one descriptor count failures together', async () => {
  const folder = scratch()
  onTestFinished(folder.remove)
  const config = configFor(folder.path)
  await importRows(config, 'location', [{ id: 1, name: 'Place', lat: 1, lon: 1 }])
  const engine = openConfiguredEngine(config, { create: false })
  const ofThread = openEngine(engine.descriptor, { create: false })
  await ofThread.keys.keys(everything)
  change(filesOf(folder.path).control, breakPages)
  await expect(ofThread.keys.keys(everything)).rejects.toThrow(
    new StoreFailure('damaged', filesOf(folder.path).control),
  )
  expect(engine.failures().filter(({ count }) => count > 0)).toEqual([
    { store: 'control.sqlite', kind: 'damaged', count: expect.any(Number), lastMs: expect.any(Number) },
  ])
  for (const opened of [engine, ofThread]) await opened.close()
})
