/** Imports as jobs that an interface starts, observes and cancels (rulings: Import format). */
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { composeImport } from '../../src/compose/import.ts'
import { composeImports } from '../../src/compose/importer.ts'
import { isAdminFault } from '../../src/domain/admin-fault.ts'
import { NewerSchema } from '../../src/domain/store-errors.ts'

import type { ImportEvent, ImportRequest } from '../../src/usecases/admin/import-request.ts'
import { runImport } from '../../src/usecases/admin/run-import.ts'
import { collect, periplus, start } from '../cli.ts'
import { filesOf } from '../store-files.ts'
import { actor, configFor, ndjson, scratch } from '../world.ts'

const folder = scratch()
afterAll(folder.remove)
let folders = 0
const newConfig = () => configFor(join(folder.path, `data-${++folders}`))

const places = (from: number, to: number) =>
  ndjson(Array.from({ length: to - from }, (_, i) => ({ id: from + i, name: `Place ${from + i}`, lat: 1, lon: 1 })))
const file = join(folder.path, 'places.ndjson')
writeFileSync(file, places(1, 6001))

type Settings = ReturnType<typeof newConfig>
const run = (config: Settings, request: Partial<ImportRequest> = {}) =>
  runImport(composeImports(config), actor, { files: [file], ...request })

function stored(config: Settings): number {
  const data = new Database(filesOf(config.data).data, { readonly: true })
  try {
    return data.prepare<[], number>('SELECT count(*) FROM locations').pluck().get()!
  } finally {
    data.close()
  }
}

test('reports its phases and its result', async () => {
  const events: ImportEvent[] = []
  const outcome = await run(newConfig(), { onEvent: event => events.push(event) })
  expect(outcome).toMatchObject({ total: { read: 6000, added: 6000 }, dryRun: false, failure: undefined })
  expect(events.map(({ phase, step }) => `${phase} ${step}`)).toEqual([
    'input start',
    'input sampled',
    ...['input progress', 'input progress', 'input progress'],
    'input end',
    ...events.filter(({ phase, step }) => phase === 'index' && step === 'progress').map(() => 'index progress'),
    'index end',
  ])
  const rows = events.flatMap(event => (event.phase === 'input' && event.step === 'progress' ? [event.rows] : []))
  expect(rows).toEqual([1000, 5000, 6000])
})

test('a cancelled import stores complete batches, and the next import completes it', async () => {
  const config = newConfig()
  const controller = new AbortController()
  const outcome = await run(config, {
    signal: controller.signal,
    onEvent: ({ step }) => step === 'progress' && controller.abort(),
  })
  expect(outcome).toMatchObject({
    total: { read: 1000, added: 1000 },
    failure: { fault: 'import_cancelled', fields: [], read: 1000, nothingRemoved: false },
  })
  expect(stored(config)).toBe(1000)
  expect(await run(config)).toMatchObject({ total: { added: 5000, unchanged: 1000 }, failure: undefined })
  expect(stored(config)).toBe(6000)
})

test('a cancelled full sync removes nothing', async () => {
  const config = newConfig()
  await run(config, { source: 's' })
  const controller = new AbortController()
  controller.abort()
  const outcome = await run(config, { source: 's', replace: true, signal: controller.signal })
  expect(outcome).toMatchObject({ removals: [], failure: { fault: 'import_cancelled', nothingRemoved: true } })
  expect(stored(config)).toBe(6000)
})

test('a dry run takes no lock, sees places of earlier batches, and creates no folder (R-165)', async () => {
  const config = newConfig()
  const reviews = join(folder.path, 'reviews.ndjson')
  const review = (id: number, place: number) => ({ id, location_id: place, text: 'Good', rating: 4, source: 's' })
  writeFileSync(reviews, ndjson([review(1, 1), review(2, 5999), review(3, 7000)]))
  const request = { files: [file, reviews], dryRun: true, source: 's' }
  const expected = {
    total: { read: 6003, added: 6002, reasons: { unknown_place: 1 } },
    inputs: [{}, { rejectsFile: undefined }],
  }
  expect(await run(config, request)).toMatchObject(expected)
  expect(existsSync(config.data)).toBe(false)
  const importing = await composeImport(config, { dryRun: false })
  expect(await run(config, request)).toMatchObject(expected)
  await importing.close()
  await run(config, { source: 's' })
  const fewer = join(folder.path, 'fewer.ndjson')
  writeFileSync(fewer, places(200, 6201))
  expect(await run(config, { files: [fewer], dryRun: true, source: 's', replace: true })).toMatchObject({
    total: { added: 200, unchanged: 5801, removed: 199 },
    removals: [{ kind: 'location', stored: 6000, missing: 199 }],
  })
  expect(stored(config)).toBe(6000)
})

test('an import waits for another one, until it ends or the wait is cancelled (R-165)', async () => {
  const config = newConfig()
  const importing = await composeImport(config, { dryRun: false })
  const controller = new AbortController()
  const cancelled = await run(config, {
    waitMs: Number.POSITIVE_INFINITY,
    signal: controller.signal,
    onEvent: ({ phase }) => phase === 'queue' && controller.abort(),
  })
  expect(cancelled).toMatchObject({ fault: 'import_cancelled', read: 0 })
  const refused = await periplus(['import', file, '--data', config.data, '--no-wait'])
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Another import is running') })
  const waited = await run(config, {
    waitMs: Number.POSITIVE_INFINITY,
    onEvent: ({ phase }) => phase === 'queue' && void importing.close(),
  })
  expect(waited).toMatchObject({ total: { added: 6000 } })
})

test('returns a fault for each invalid request', async () => {
  const config = newConfig()
  expect(await run(config, { replace: true })).toEqual({ fault: 'source_required', fields: ['source'] })
  expect(await run(config, { source: ' ' })).toEqual({ fault: 'text_empty', fields: ['source'] })
  const invalid = { fault: 'source_invalid', fields: ['source'], max: 200 }
  expect(await run(config, { source: 'x'.repeat(201) })).toEqual({ ...invalid, problem: 'too_long' })
  expect(await run(config, { source: 'a\nb' })).toEqual({ ...invalid, problem: 'not_one_line' })
  const from = (field: string) => ({ field, from: 'a' })
  expect(await run(config, { fields: [from('nonsense')] })).toMatchObject({
    fault: 'field_unknown',
    fields: ['fields'],
    field: 'nonsense',
    known: expect.arrayContaining(['name', 'lat']),
  })
  expect(await run(config, { fields: [from('name'), from('name.en'), from('name')] })).toMatchObject({
    fault: expect.stringMatching(/^field_/),
  })
  expect(await run(config, { fields: [from('names.en'), from('names.en')] })).toEqual({
    fault: 'field_repeated',
    fields: ['fields'],
    field: 'names.en',
  })
  expect(await run(config, { files: ['-', '-'] })).toEqual({ fault: 'stdin_repeated', fields: ['files'] })
  const shared = { fault: 'rejects_file_invalid', fields: ['rejects_file'], problem: 'shared' }
  expect(await run(config, { files: [file, file], rejectsFile: 'x' })).toEqual({ ...shared, file: 'x' })
  expect(await run(config, { rejectsFile: folder.path })).toMatchObject({ problem: 'folder', file: folder.path })
  expect(await run(config, { files: [join(folder.path, 'missing')] })).toMatchObject({ fault: 'input_unreadable' })
  const importing = await composeImport(config, { dryRun: false })
  expect(await run(config)).toEqual({ fault: 'import_running', fields: [] })
  await importing.close()
  expect(isAdminFault(await run(config))).toBe(false)
})

test('reports a rejects file that cannot be written; what is stored remains', async () => {
  const config = newConfig()
  const mixed = join(folder.path, 'mixed.ndjson')
  writeFileSync(mixed, `${places(1, 31)}${'nonsense\n'.repeat(20)}`)
  const fault = (rejectsFile: string, errorCode: string) => ({
    fault: 'rejects_not_written',
    fields: ['rejects_file'],
    file: rejectsFile,
    errorCode,
  })
  const tooLong = join(folder.path, 'x'.repeat(300))
  expect(await run(config, { files: [mixed], rejectsFile: tooLong })).toEqual(fault(tooLong, 'ENAMETOOLONG'))
  const inFile = join(mixed, 'rejects')
  expect(await run(config, { files: [mixed], rejectsFile: inFile })).toEqual(fault(inFile, 'EEXIST'))
  expect(stored(config)).toBe(30)
  const said = await periplus(['import', mixed, '--rejects', tooLong, '--data', config.data])
  expect(said).toMatchObject({ code: 1, stdout: '' })
  expect(said.stderr).toContain(`The rejected rows could not be written. ${tooLong} is too long for the file system.`)
})

test('an import that cannot begin releases the lock', async () => {
  const config = newConfig()
  await run(config)
  const setSchema = (version: number) => {
    const data = new Database(filesOf(config.data).data)
    const before = Number(data.pragma('user_version', { simple: true }))
    data.pragma(`user_version = ${version}`)
    data.close()
    return before
  }
  const schema = setSchema(9999)
  await expect(run(config)).rejects.toThrow(NewerSchema)
  setSchema(schema)
  expect(await run(config)).toMatchObject({ total: { unchanged: 6000 }, failure: undefined })
})

test('the first SIGTERM cancels the command after the current batch', async () => {
  const config = newConfig()
  const child = start(['import', '-', '--data', config.data, '--json'])
  const out = collect(child)
  child.stdin!.write(places(1, 1501))
  await expect
    .poll(() => {
      try {
        return stored(config)
      } catch {
        return 0
      }
    })
    .toBe(1000)
  const cancelling = out.line(/Cancelling after the current batch/)
  child.kill('SIGTERM')
  await cancelling
  child.stdin!.end(places(1501, 3001))
  const [code] = await once(child, 'close')
  expect(code).toBe(1)
  expect(out.stderr()).toContain('The import was cancelled after 1000 rows.')
  expect(JSON.parse(out.stdout())).toMatchObject({ read: 1000, added: 1000 })
  expect(stored(config)).toBe(1000)
})

test('imports shows drift by country and category, and sampled points of accepted and rejected rows', async () => {
  const dir = scratch()
  const run = (...args: string[]) => periplus([...args, '--data', join(dir.path, 'data')])
  const rows = Array.from({ length: 1500 }, (_, i) => ({
    source: 's',
    source_id: `p${i}`,
    name: `Place ${i}`,
    lat: i / 100,
    lon: -i / 100,
    ...(i % 3 > 0 && { country: i % 3 === 1 ? 'ES' : 'FR' }),
    category: i % 2 === 0 ? 'museum' : 'hotel',
  }))
  const bad = [
    { source: 's', source_id: 'b1', name: 'Bad status', lat: 41, lon: 2, status: 'eaten' },
    { source: 's', source_id: 'b2', name: 'Off the map', lat: 95, lon: 2 },
    { source: 's', source_id: 'p7', name: 'Twice', lat: 42.123456, lon: 3, country: 'ES' },
  ]
  const file = join(dir.path, 'places.ndjson')
  const shown = async () => {
    const { imports } = (await run('imports', 'list', '--json')).json<{ imports: { id: string }[] }>()
    return (await run('imports', 'show', imports[0]!.id, '--json')).json<{
      drift: Record<'countries' | 'categories', object[]>
      points: { lat: number; lon: number; rejected?: string }[]
    }>()
  }
  writeFileSync(file, ndjson([...rows, ...bad]))
  expect((await run('import', file, '--no-index')).code).toBe(0)
  const { drift, points } = await shown()
  expect(drift).toEqual({
    countries: expect.arrayContaining(
      [{}, { value: 'ES' }, { value: 'FR' }].map(value => ({ ...value, added: 500, changed: 0, unchanged: 0 })),
    ),
    categories: ['ATTRACTION', 'HOTEL'].map(value => ({ value, added: 750, changed: 0, unchanged: 0 })),
  })
  expect(points.filter(point => point.rejected !== undefined)).toEqual([
    { lat: 41, lon: 2, rejected: 'unknown_status' },
    { lat: 42.12346, lon: 3, rejected: 'duplicate_in_file' },
  ])
  const accepted = points.filter(point => point.rejected === undefined)
  expect(accepted).toHaveLength(1000)
  expect(new Set(accepted.map(({ lat }) => Math.floor(lat))).size).toBe(15)

  writeFileSync(file, ndjson([{ ...rows[1], name: 'Renamed' }, rows[2]!]))
  await run('import', file, '--no-index')
  expect((await shown()).drift.countries).toEqual([
    { value: 'ES', added: 0, changed: 1, unchanged: 0 },
    { value: 'FR', added: 0, changed: 0, unchanged: 1 },
  ])
  const { imports } = (await run('imports', 'list', '--json')).json<{ imports: { id: string }[] }>()
  expect((await run('imports', 'show', imports[0]!.id)).stdout).toMatch(
    /country +added +changed +unchanged\n.*\nES +0 +1 +0/,
  )
  dir.remove()
})

test('a demo on a port in use is refused before its sample is imported (R-165)', async () => {
  const { data } = newConfig()
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const refused = await periplus(['demo', '--data', data, '--port', String(port)])
  expect(refused).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^Port \d+ on 127.0.0.1 is in use/),
  })
  expect(existsSync(data)).toBe(false)
  other.close()
})
