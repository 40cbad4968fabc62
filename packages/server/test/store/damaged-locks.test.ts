/** Lock files and the file of downloads, which are replaced when they are damaged. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, test } from 'vitest'
import { composeServer } from '../../src/compose/server.ts'
import { LockHeld } from '../../src/domain/store-errors.ts'
import { holdLock, isLockHeld, renameFolder, replaceLockFile } from '../../src/store/folder/lock.ts'
import { periplus, periplusProcess, serve } from '../cli.ts'
import { send } from '../http-client.ts'
import { filesOf } from '../store-files.ts'
import { configFor, importRows, makeKey, scratch } from '../world.ts'
import { openSqlite } from './contract/engines.ts'

const folder = scratch()
afterAll(folder.remove)
const garbage = Buffer.alloc(5000, 'not a database ')

/** Ways in which a file can be damaged. */
const damages: readonly [name: string, damage: (file: string) => void][] = [
  ['garbage', file => writeFileSync(file, garbage)],
  ['a torn header', file => writeFileSync(file, 'SQLite format 3\0 and more')],
  [
    'a folder in its place',
    file => {
      mkdirSync(join(file, 'deep'), { recursive: true })
      writeFileSync(join(file, 'deep', 'file'), 'x')
    },
  ],
]

/** Damages a file, which may exist. */
function damageFile(file: string, damage: (file: string) => void): void {
  mkdirSync(dirname(file), { recursive: true })
  rmSync(file, { recursive: true, force: true })
  damage(file)
}

const damagedNames = (file: string) =>
  readdirSync(dirname(file)).filter(name => name.startsWith(`${basename(file)}.damaged-`))

describe.each(damages)('a lock file that is damaged: %s', (name, damage) => {
  test('is replaced and held by one caller', () => {
    const file = join(folder.path, `${name}.sqlite`)
    damageFile(file, damage)
    expect(isLockHeld(file)).toBe(false)
    const lock = holdLock(file, 'held')
    expect(lock.replaced?.file).toBe(file)
    expect(damagedNames(file)).toHaveLength(name === 'a folder in its place' ? 1 : 0)
    expect(isLockHeld(file)).toBe(true)
    expect(() => holdLock(file, 'held')).toThrow(new LockHeld('held'))
    // Another caller found the file damaged before this one replaced it, and acts only now.
    expect(replaceLockFile(file)).toBeUndefined()
    expect(renameFolder(file)).toBeUndefined()
    expect(() => holdLock(file, 'held')).toThrow(new LockHeld('held'))
    lock.release()
    const again = holdLock(file, 'held')
    expect(again.replaced).toBeUndefined()
    again.release()
  })
})

test('an empty lock file is sound, and one that is damaged while it is held stays held', async () => {
  const { data } = configFor(join(folder.path, 'held'))
  await importRows(configFor(data), 'location', [])
  const file = filesOf(data).importLock
  writeFileSync(file, '')
  const lock = holdLock(file, 'held')
  expect(lock.replaced).toBeUndefined()
  // Another process writes it: closing the file here would release the lock.
  execFileSync('sh', ['-c', 'printf garbage >> "$0"', file])
  expect(() => holdLock(file, 'held')).toThrow(LockHeld)
  replaceLockFile(file)
  const other = await periplusProcess(['import', '-', '--no-wait', '--data', data], { stdin: '' })
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('Another import is running') })
  lock.release()
})

describe('downloads of sqlite', () => {
  test.each(damages)('are replaced when they are damaged: %s', async (_, damage) => {
    const engine = await openSqlite()
    const file = filesOf(engine.descriptor.folder).downloads
    damageFile(file, damage)
    const downloads = await engine.openFeedDownloads()
    await downloads.start('k', 0, () => ({ snapshot: 'a', atMs: Date.now() }))
    expect(await downloads.since('k', 0)).toHaveLength(1)
    await downloads.close()
    expect(damagedNames(file)).toHaveLength(1)
    expect(engine.failures().filter(({ count }) => count > 0)).toEqual([])
  })

  test('are replaced when they are damaged while they are in use', async () => {
    const engine = await openSqlite()
    const file = filesOf(engine.descriptor.folder).downloads
    const downloads = await engine.openFeedDownloads()
    const start = (snapshot: string) => downloads.start('k', 0, () => ({ snapshot, atMs: Date.now() }))
    await start('a')
    // Another connection commits, so that the first one reads its pages again.
    const db = new Database(file)
    db.exec('CREATE TABLE other (x)')
    db.pragma('wal_checkpoint(TRUNCATE)')
    db.close()
    writeFileSync(file, readFileSync(file).fill(0xff, 4096), { flag: 'r+' })
    await start('b')
    expect((await downloads.since('k', 0)).at(-1)).toMatchObject({ snapshot: 'b' })
    await downloads.close()
    expect(damagedNames(file)).toHaveLength(1)
  })
})

test('commands report a replaced lock file and continue', async () => {
  const config = configFor(join(folder.path, 'commands'))
  const { data } = config
  await importRows(config, 'location', [{ id: 1, name: 'Place', lat: 1, lon: 1 }])
  const { importLock, feedsLock } = filesOf(data)
  damageFile(importLock, file => writeFileSync(file, garbage))
  expect(await periplus(['import', '-', '--data', data], { stdin: '' })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`${importLock} was damaged and has been emptied.`),
  })
  damageFile(feedsLock, file => mkdirSync(file))
  const built = await periplusProcess(['feeds', 'build', '--data', data])
  expect([built.code, built.stderr]).toEqual([
    0,
    expect.stringContaining(`${feedsLock} was damaged. It has been renamed`),
  ])
  expect(readFileSync(feedsLock, 'utf8')).toBe('')
})

test('a service starts with damaged lock files and downloads, reports them, and has the lock alone', async () => {
  const config = configFor(join(folder.path, 'served'), { 'server.logLevel': 'warn' })
  const { data } = config
  await importRows(config, 'location', [{ id: 1, name: 'Place', lat: 1, lon: 1 }])
  const { secret } = await makeKey(config)
  const { serveLock, importLock, downloads } = filesOf(data)
  for (const file of [serveLock, importLock, downloads]) damageFile(file, path => writeFileSync(path, garbage))
  const served = await serve(data, ['--admin-port', '0', '--log-level', 'warn'])
  expect((await send(served.url, '/locations/1', { headers: { 'X-API-Key': secret } })).status).toBe(200)
  await expect(composeServer(config, { demo: false })).rejects.toThrow('Another Periplus process serves')
  const logged = () =>
    served
      .log()
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as { msg: string })
  await expect
    .poll(() => logged().map(({ msg }) => msg))
    .toEqual(
      expect.arrayContaining([
        `${serveLock} was damaged and has been emptied.`,
        expect.stringMatching(/downloads\.sqlite was damaged\. It has been renamed to .+ and created again\.$/),
      ]),
    )
  expect(await served.stop()).toBe(0)
  const backup = join(folder.path, 'backup')
  damageFile(downloads, path => writeFileSync(path, garbage))
  expect(await periplus(['backup', backup, '--data', data])).toMatchObject({ code: 0 })
  expect(existsSync(join(backup, 'feeds', basename(downloads)))).toBe(false)
  expect((readdirSync(backup, { recursive: true }) as string[]).filter(name => name.includes('damaged'))).toEqual([])
})
