/** The gate that everything passes that opens a data folder. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { composeServer } from '../../src/compose/server.ts'
import type { FolderPart } from '../../src/domain/data-folder.ts'
import { UnusableDataFolder } from '../../src/domain/store-errors.ts'
import { openFolder, recreateParts } from '../../src/store/engine.ts'
import { holdLock } from '../../src/store/folder/lock.ts'
import { collect, periplus, serve } from '../cli.ts'
import { send } from '../http-client.ts'
import { programKilledAt, withFaultPoints } from '../kills.ts'
import { filesOf } from '../store-files.ts'
import { configFor, importRows, makeFolder, makeKey, ndjson, scratch } from '../world.ts'

const folder = scratch()
afterAll(folder.remove)
let names = 0
const fresh = (name: string) => join(folder.path, `${name}-${++names}`)

const places = [1, 2, 3].map(n => ({ source: 's', source_id: `p${n}`, name: `Place ${n}`, lat: n, lon: n }))
const reviews = [{ source: 's', source_id: 'r1', place_source_id: 'p1', rating: 4, text: 'Fine.' }]
const placesFile = join(folder.path, 'places.ndjson')
const [whole, other] = [fresh('whole'), fresh('other')]
const olderControl = fresh('older-control')
let key = ''

beforeAll(async () => {
  writeFileSync(placesFile, ndjson(places))
  for (const data of [whole, other]) {
    await importRows(configFor(data), 'location', places)
    if (data === whole) copyFileSync(join(whole, files.control), olderControl)
    await importRows(configFor(data), 'review', reviews)
  }
  key = (await makeKey(configFor(whole), { packageName: 'innovate' })).secret
  // Counts a call, so that the ledger depends on the journal; the second start folds it.
  for (const path of ['/locations/1', '/healthz']) {
    const service = await composeServer(configFor(whole), { demo: false })
    await send(await service.listen(), path, { headers: { 'X-API-Key': key } })
    await service.drain()
  }
})

const copyOf = (data: string): string => {
  const copy = fresh('copy')
  cpSync(data, copy, { recursive: true })
  return copy
}
const descriptorOf = (data: string) => ({ kind: 'sqlite', folder: data }) as const
const open = (data: string, create = false) => openFolder(descriptorOf(data), { create })

/** Returns the defects of a folder that is refused. */
function defectsOf(data: string): UnusableDataFolder['defects'] {
  try {
    open(data, true)
  } catch (error) {
    if (error instanceof UnusableDataFolder) return error.defects
    throw error
  }
  return []
}

const files: Readonly<Record<FolderPart, string>> = {
  control: 'control.sqlite',
  data: 'data/g1/data.sqlite',
  pepper: 'pepper',
  current: 'data/CURRENT',
  journal: 'journal',
}

type Change = (data: string) => void
const remove =
  (file: string): Change =>
  data =>
    rmSync(join(data, file), { recursive: true })
const write =
  (file: string, text: string): Change =>
  data =>
    writeFileSync(join(data, file), text)
const takeFromOther =
  (file: string): Change =>
  data =>
    copyFileSync(join(other, file), join(data, file))
const overwriteHeader =
  (file: string): Change =>
  data => {
    const bytes = readFileSync(join(data, file))
    writeFileSync(join(data, file), bytes.fill(0x55, 0, 100))
  }
const replaceByFolder =
  (file: string): Change =>
  data => {
    rmSync(join(data, file))
    mkdirSync(join(data, file))
  }
const replaceJournal =
  (name: string, text: string): Change =>
  data => {
    rmSync(join(data, 'journal'), { recursive: true })
    mkdirSync(join(data, 'journal'))
    if (name !== '') writeFileSync(join(data, 'journal', name), text)
  }

/** Leaves the log of a store that is gone, as a process that is killed does. */
const leaveLogOnly =
  (file: string): Change =>
  data => {
    const db = new Database(join(data, file))
    db.exec('CREATE TABLE late (x)')
    copyFileSync(join(data, `${file}-wal`), join(data, 'kept-wal'))
    db.close()
    rmSync(join(data, file))
    renameSync(join(data, 'kept-wal'), join(data, `${file}-wal`))
  }

const faults: [part: FolderPart, kind: string, how: string, change: Change][] = [
  ['control', 'missing', 'removed', remove(files.control)],
  ['control', 'missing', 'removed, but not its log', leaveLogOnly(files.control)],
  ['control', 'empty', 'of 0 bytes', data => truncateSync(join(data, files.control))],
  ['control', 'damaged', 'without a header', overwriteHeader(files.control)],
  ['control', 'damaged', 'of text', write(files.control, 'not a database')],
  ['control', 'foreign', 'of another folder', takeFromOther(files.control)],
  ['control', 'foreign', 'a data store', data => copyFileSync(join(data, files.data), join(data, files.control))],
  ['control', 'damaged', 'a folder', replaceByFolder(files.control)],
  ['control', 'outdated', 'from before the last import', data => copyFileSync(olderControl, join(data, files.control))],
  ['data', 'missing', 'removed', remove(files.data)],
  ['data', 'missing', 'removed, but not its log', leaveLogOnly(files.data)],
  ['data', 'missing', 'removed with its generation', remove('data/g1')],
  ['data', 'empty', 'of 0 bytes', data => truncateSync(join(data, files.data))],
  ['data', 'damaged', 'without a header', overwriteHeader(files.data)],
  ['data', 'foreign', 'of another folder', takeFromOther(files.data)],
  ['pepper', 'missing', 'removed', remove(files.pepper)],
  ['pepper', 'empty', 'of 0 bytes', write(files.pepper, '')],
  ['pepper', 'damaged', 'cut off', write(files.pepper, 'abcdef')],
  ['pepper', 'damaged', 'a folder', replaceByFolder(files.pepper)],
  ['pepper', 'foreign', 'of another folder', takeFromOther(files.pepper)],
  ['current', 'missing', 'removed', remove(files.current)],
  ['current', 'empty', 'of 0 bytes', write(files.current, '')],
  ['current', 'damaged', 'of text', write(files.current, '../elsewhere\n')],
  ['current', 'damaged', 'with a missing generation', write(files.current, 'g7\n')],
  ['current', 'damaged', 'a folder', replaceByFolder(files.current)],
  ['journal', 'missing', 'removed', remove(files.journal)],
  ['journal', 'empty', 'without files', replaceJournal('', '')],
  ['journal', 'foreign', 'of another folder', replaceJournal('.folder', 'another\n')],
  [
    'journal',
    'damaged',
    'a file',
    data => {
      remove(files.journal)(data)
      write(files.journal, '')(data)
    },
  ],
]

describe('a part that cannot be used', () => {
  test.each(faults)('%s %s, %s: nothing is opened or created; verify lists it', async (part, kind, _how, change) => {
    const data = copyOf(whole)
    change(data)
    const before = readdirSync(data, { recursive: true }).sort()
    const expected = { part, file: files[part], kind }
    // Without its generation, data/CURRENT names a folder that does not exist.
    const also = existsSync(join(data, 'data/g1')) ? [] : [{ part: 'current', file: files.current, kind: 'damaged' }]
    expect(defectsOf(data)).toEqual(expect.arrayContaining([expected]))
    expect(defectsOf(data)).toHaveLength(1 + also.length)
    const verified = await periplus(['verify', '--data', data, '--json'])
    expect(verified.code).toBe(1)
    expect(verified.json<{ problems: { file: string }[] }>().problems).toContainEqual({
      file: files[part],
      problem: expect.stringMatching(new RegExp(`^${files[part]} (is|belongs) .*\\.$`)),
    })
    const after = readdirSync(data, { recursive: true }).sort()
    const isTransient = (name: unknown) => /-(wal|shm)$/.test(String(name))
    expect(after.filter(name => !isTransient(name))).toEqual(before.filter(name => !isTransient(name)))

    const parts = [part, ...also.map(defect => defect.part as FolderPart)]
    expect(recreateParts(descriptorOf(data), parts, 0)).toHaveLength(parts.length)
    open(data)
    expect(recreateParts(descriptorOf(data), parts, 0)).toEqual([])
  })

  test('control outdated, from before a decision about a review: refused until it is back', async () => {
    const data = copyOf(whole)
    const [older, newer] = [join(data, 'older'), join(data, 'newer')]
    copyFileSync(join(data, files.control), older)
    expect((await periplus(['reviews', 'hide', '1', '--data', data])).code).toBe(0)
    copyFileSync(join(data, files.control), newer)
    copyFileSync(older, join(data, files.control))
    const ran = await periplus(['import', placesFile, '--data', data])
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('control.sqlite is an older copy')
    copyFileSync(newer, join(data, files.control))
    expect((await periplus(['import', placesFile, '--data', data])).code).toBe(0)
  })

  test('several at once: each is named, and a part is recreated only with the others', () => {
    const data = copyOf(whole)
    for (const part of ['control', 'pepper', 'current', 'journal'] as const) remove(files[part])(data)
    expect(defectsOf(data).map(({ part }) => part)).toEqual(['control', 'pepper', 'current', 'journal'])
    expect(() => recreateParts(descriptorOf(data), ['control', 'pepper'], 0)).toThrow('data/CURRENT is missing')
    expect(existsSync(join(data, files.control))).toBe(false)
    recreateParts(descriptorOf(data), ['control', 'pepper', 'current', 'journal'], 0)
    open(data)
  })

  const commands: string[][] = [
    ['serve', '--port', '0'],
    ['import', placesFile],
    ['import', '--dry-run', placesFile],
    ['keys', 'list'],
    ['keys', 'create', '--package', 'growth'],
    ['partners', 'create', 'Acme'],
    ['usage'],
    ['usage', 'statement', '--partner', 'p', '--month', '2026-01'],
    ['config', 'check'],
    ['feeds', 'list'],
    ['feeds', 'build'],
    ['feeds', 'pin', 'k', 'locations', '1'],
    ['reviews', 'hide', '1'],
    ['erase', '--user', 's:u'],
    ['backup', join(folder.path, 'never')],
  ]
  test.each(commands)('%s %s is refused with the file and the ways out', async (...command) => {
    for (const part of ['control', 'data'] as const) {
      const data = copyOf(whole)
      remove(files[part])(data)
      const ran = await periplus([...command.filter(Boolean), '--data', data])
      expect(ran).toMatchObject({ code: 1, stdout: '' })
      expect(ran.stderr).toContain(`${files[part]} is missing.`)
      expect(ran.stderr).toContain(`'periplus restore BACKUP --data ${data} --force'`)
      expect(ran.stderr).toContain(`--recreate ${part}`)
      expect(ran.stderr).not.toMatch(/unexpected|SQLITE/)
      expect(existsSync(join(data, files[part]))).toBe(false)
    }
  })
})

describe('verify lists every problem with its file', () => {
  interface Verdict {
    readonly ok: boolean
    readonly problems: readonly { readonly file: string; readonly problem: string }[]
  }
  const verify = async (data: string) => {
    const ran = await periplus(['verify', '--data', data, '--json'])
    expect(ran.stderr).not.toMatch(/unexpected|SQLITE/)
    return { code: ran.code, ...ran.json<Verdict>() }
  }
  const edit = (data: string, file: string, sql: string) => {
    const db = new Database(join(data, file))
    db.exec(sql)
    db.close()
  }

  test('of parts, ids, totals, index and roll-ups', async () => {
    const data = copyOf(whole)
    rmSync(join(data, files.pepper))
    writeFileSync(join(data, 'data/g1/search.index'), 'nonsense')
    edit(data, files.control, 'DELETE FROM record_ids WHERE kind = 2; UPDATE usage_slots SET units = units + 1')
    edit(data, files.data, `UPDATE review_totals SET totals = json_set(totals, '$.reviews', 99)`)
    const { code, ok, problems } = await verify(data)
    expect([code, ok]).toEqual([1, false])
    expect(new Map(problems.map(({ file, problem }) => [problem, file]))).toEqual(
      new Map([
        ['pepper is missing.', 'pepper'],
        ['1 reviews have ids that are not registered in control.sqlite.', 'data/g1/data.sqlite'],
        ['Location 1: the stored totals of its reviews differ from a recount.', 'data/g1/data.sqlite'],
        ['search.index is not an index of Periplus. The next start rebuilds it.', 'data/g1/search.index'],
        [expect.stringContaining('roll-up by slot 1 and 2'), expect.stringMatching(/^journal|^control\.sqlite/)],
        [expect.stringContaining('roll-up by eighth of a day'), expect.stringMatching(/^journal|^control\.sqlite/)],
        [expect.stringContaining('roll-up by day'), expect.stringMatching(/^journal|^control\.sqlite/)],
      ]),
    )
    const text = await periplus(['verify', '--data', data])
    for (const { file } of problems) expect(text.stdout).toContain(file)
    expect(text.stderr).toContain(`${problems.length} problems were found.`)
  })

  test('of pages, also if a check cannot be completed', async () => {
    const data = copyOf(whole)
    for (const file of [files.control, files.data]) {
      const db = new Database(join(data, file))
      db.pragma('wal_checkpoint(TRUNCATE)')
      const kept = file === files.control ? 'folder_identity' : 'store_identity'
      const pages = db
        .prepare<[string], number>("SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND tbl_name <> ?")
        .pluck()
        .all(kept)
      db.close()
      const bytes = readFileSync(join(data, file))
      for (const page of pages.filter(number => number > 1)) bytes.fill(0x55, (page - 1) * 4096, page * 4096)
      writeFileSync(join(data, file), bytes)
    }
    const { code, problems } = await verify(data)
    expect(code).toBe(1)
    for (const file of [files.control, files.data])
      expect(problems).toContainEqual({ file, problem: expect.stringContaining(`${file} is damaged`) })
    expect(problems.some(({ problem }) => problem.includes('could not be completed'))).toBe(true)
  })
})

test('serve refuses a folder that does not exist, and does not create it', async () => {
  const data = fresh('nowhere')
  const ran = await periplus(['serve', '--port', '0', '--data', data])
  expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('There is no Periplus data') })
  expect(existsSync(data)).toBe(false)
})

describe('--recreate', () => {
  test('import: an empty data store gets the same ids again', async () => {
    const data = copyOf(whole)
    truncateSync(join(data, files.data))
    const ran = await periplus(['import', '--data', data, '--recreate', 'data', '--recreate', 'pepper', placesFile])
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.stderr).toContain('data/g1/data.sqlite is empty. It was recreated. All places and reviews')
    expect(ran.stderr).toContain('The part pepper of the data folder is intact and was kept.')
    expect((await periplus(['verify', '--data', data])).code).toBe(0)
    const again = await importRows(configFor(data), 'location', places)
    expect(again.report).toMatchObject({ added: 0, unchanged: 3 })
  })

  test('import: a folder that does not exist is made as without the flag', async () => {
    const data = fresh('new')
    expect((await periplus(['import', '--data', data, '--recreate', 'data', placesFile])).code).toBe(0)
  })

  test('serve: verify misses no file of a journal that was recreated', async () => {
    const data = copyOf(whole)
    rmSync(join(data, files.journal), { recursive: true })
    const served = await serve(data, ['--recreate', 'journal'])
    expect((await send(served.url, '/locations/1', { headers: { 'X-API-Key': key } })).status).toBe(200)
    expect(await served.stop()).toBe(0)
    expect((await periplus(['verify', '--data', data, '--json'])).json()).toEqual({ ok: true, problems: [] })
    expect((await periplus(['usage', '--data', data, '--json'])).json()).toMatchObject({ calls: 2 })
  })

  test('serve: a new control store knows the stored ids, and counts the usage in the journal', async () => {
    const data = copyOf(whole)
    rmSync(join(data, files.control))
    const served = await serve(data, ['--recreate', 'control'])
    expect(served.log()).toContain('Partners, keys')
    const { status } = await send(served.url, '/locations/1', { headers: { 'X-API-Key': key } })
    expect(status).toBe(401)
    expect(await served.stop()).toBe(0)
    expect((await periplus(['verify', '--data', data, '--json'])).json()).toEqual({ ok: true, problems: [] })
    expect((await periplus(['usage', '--data', data, '--json'])).json()).toMatchObject({ calls: 1 })
    // The next import assigns other ids than the stored ones.
    const { report } = await importRows(configFor(data), 'location', [{ ...places[0], source: 'another' }])
    expect(report).toMatchObject({ added: 1 })
    const stored = new Database(join(data, files.data), { readonly: true })
    expect(stored.prepare('SELECT id FROM locations ORDER BY id').pluck().all()).toEqual([1, 2, 3, 4])
    stored.close()
  })

  test.each([
    [['--recreate', 'index'], 'Must be one of control, data, pepper, current, journal'],
    [['--recreate', 'data', '--dry-run'], '--dry-run changes nothing'],
  ])('import %j is wrong usage', async (flags, message) => {
    const ran = await periplus(['import', '--data', whole, ...flags, placesFile])
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  })

  test('is refused while a service uses the folder', async () => {
    const data = copyOf(whole)
    const lock = holdLock(filesOf(data).serveLock, '')
    rmSync(join(data, files.pepper))
    const ran = await periplus(['import', '--data', data, '--recreate', 'pepper', placesFile])
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('Another Periplus process serves') })
    expect(existsSync(join(data, files.pepper))).toBe(false)
    lock.release()
  })

  test('leaves what it replaced in the folder, without adding it to backups', async () => {
    const data = copyOf(whole)
    overwriteHeader(files.control)(data)
    recreateParts(descriptorOf(data), ['control'], 0)
    overwriteHeader(files.data)(data)
    write(files.pepper, 'abcdef')(data)
    replaceJournal('.folder', 'another\n')(data)
    recreateParts(descriptorOf(data), ['data', 'pepper', 'journal'], 0)
    const replaced = (root: string) =>
      readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(name => name.includes('.replaced-'))
    const suffix = '.replaced-1970-01-01T00-00-00-000Z.bak'
    const expected = [files.control, files.data, `journal${suffix}/.folder`, 'journal', files.pepper]
    expect(replaced(data).sort()).toEqual(expected.map(name => (name.includes(suffix) ? name : name + suffix)).sort())
    const backup = fresh('backup')
    expect((await periplus(['backup', backup, '--data', data])).code).toBe(0)
    expect(replaced(backup)).toEqual([])
    // The replaced data store may contain texts that must disappear.
    expect((await periplus(['erase', '--user', 's:u', '--data', data])).code).toBe(0)
    expect(replaced(data)).not.toContain(files.data + suffix)
  })
})

const fixture = fileURLToPath(new URL('../../src/store/folder/gate.fixture.ts', import.meta.url))

describe('kill -9', () => {
  test('at each step of creating a folder: the next process that creates one completes it', async () => {
    const steps = [
      ...['mkdir data', 'commit control.sqlite', 'rename CURRENT', 'commit data.sqlite'],
      ...['rename pepper', 'rename .folder', 'commit control.sqlite#2'],
    ]
    await Promise.all(
      steps.map(async step => {
        const data = fresh('created')
        await programKilledAt(step, fixture, data)
        open(data, true)
        expect((await importRows(configFor(data), 'location', places)).report).toMatchObject({ added: 3 })
        expect(defectsOf(data)).toEqual([])
      }),
    )
  })

  test('at each step of recreating parts: the next attempt completes it', async () => {
    const parts: FolderPart[] = ['data', 'pepper', 'journal']
    const steps = [
      ...['rename pepper.replaced-1970-01-01T00-00-00-000Z.bak', 'commit control.sqlite'],
      ...['commit data.sqlite', 'rename pepper', 'commit control.sqlite#2'],
    ]
    await Promise.all(
      steps.map(async step => {
        const data = copyOf(whole)
        takeFromOther(files.data)(data)
        write(files.pepper, 'abcdef')(data)
        remove(files.journal)(data)
        await programKilledAt(step, fixture, data, ...parts)
        recreateParts(descriptorOf(data), parts, 0)
        open(data)
        expect((await importRows(configFor(data), 'location', places)).report).toMatchObject({ added: 3 })
      }),
    )
  })
})

test('several processes create the same folder at once', async () => {
  const data = fresh('shared')
  const ids = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const child = spawn(process.execPath, [...withFaultPoints, fixture, data], { stdio: 'pipe' })
      const out = collect(child)
      const [code] = await once(child, 'close')
      expect([code, out.stderr()]).toEqual([0, ''])
      return out.stdout()
    }),
  )
  expect(new Set(ids).size).toBe(1)
  expect(defectsOf(data)).toEqual([])
})

describe('a data folder of an earlier release', () => {
  const release = fileURLToPath(new URL('../fixtures/release-0.1.0', import.meta.url))

  test('is adopted when it is opened first; afterwards its parts are required', () => {
    const data = copyOf(release)
    open(data)
    expect(existsSync(join(data, 'journal/.folder'))).toBe(true)
    remove('journal')(data)
    expect(defectsOf(data)).toEqual([{ part: 'journal', file: 'journal', kind: 'missing' }])
  })

  test.each<[FolderPart, string, Change]>([
    ['data', 'missing', remove(files.data)],
    ['data', 'empty', data => truncateSync(join(data, files.data))],
    ['pepper', 'missing', remove(files.pepper)],
    ['pepper', 'empty', write(files.pepper, '')],
    ['current', 'missing', remove(files.current)],
    ['control', 'missing', remove(files.control)],
    ['control', 'foreign', data => copyFileSync(join(whole, files.data), join(data, files.data))],
  ])('is refused with a %s that is %s', (part, kind, change) => {
    const data = copyOf(release)
    change(data)
    expect(defectsOf(data)).toContainEqual({ part, file: files[part], kind })
  })

  test('with keys alone is adopted', () => {
    const data = copyOf(release)
    const control = new Database(join(data, files.control))
    control.exec('DELETE FROM record_ids')
    control.close()
    rmSync(join(data, 'data'), { recursive: true })
    open(data)
    expect(existsSync(join(data, files.data))).toBe(true)
  })
})

test('a restored backup passes, and is the same folder', async () => {
  const backup = fresh('backup')
  expect((await periplus(['backup', backup, '--data', whole])).code).toBe(0)
  const data = fresh('restored')
  expect((await periplus(['restore', backup, '--data', data])).code).toBe(0)
  open(data)
  const marker = (root: string) => readFileSync(join(root, 'journal/.folder'), 'utf8')
  expect(marker(data)).toBe(marker(whole))
  expect((await periplus(['verify', '--data', data, '--json'])).json()).toEqual({ ok: true, problems: [] })
})

test('an empty journal folder of a folder without calls gets its marker again', () => {
  const config = configFor(fresh('uncalled'))
  makeFolder(config)
  replaceJournal('', '')(config.data)
  open(config.data)
  expect(existsSync(join(config.data, 'journal/.folder'))).toBe(true)
})
