/**
 * Jobs: runs from a terminal are recorded, processes are started, observed and cancelled, and dead ones are noticed.
 */
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { openConfiguredEngine } from '../../src/compose/engine.ts'
import { importFields } from '../../src/compose/import-fields.ts'
import { composeJobProcesses } from '../../src/compose/job-processes.ts'
import { composeRejectsReader } from '../../src/compose/rejects.ts'
import { isAdminFault } from '../../src/domain/admin-fault.ts'
import type { Job } from '../../src/domain/job.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { cancelJob } from '../../src/usecases/admin/cancel-job.ts'
import { listRejects } from '../../src/usecases/admin/list-rejects.ts'
import { startImport } from '../../src/usecases/admin/start-import.ts'
import { startVerify } from '../../src/usecases/admin/start-verify.ts'
import { periplus, start } from '../cli.ts'
import { eventually } from '../eventually.ts'
import { actor, configFor, ndjson, scratch } from '../world.ts'

const folder = scratch()
const config = configFor(join(folder.path, 'data'))
const data = config.data
const file = join(folder.path, 'places.ndjson')
const bad = { source: 's', source_id: 'bad', name: 'No coordinates' }
const places = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ source: 's', source_id: `p${n}`, name: `Place ${n}`, lat: 1, lon: 2 }))
writeFileSync(file, ndjson([...places(20), bad]))
await periplus(['import', file, '--data', data, '--source', 's'])

const engine = openConfiguredEngine(config, { create: false })
const stores = {
  jobs: engine.jobs,
  processes: composeJobProcesses(config, engine.jobs),
  clock: systemClock,
  fields: importFields,
  readRejects: composeRejectsReader(config),
}
afterAll(async () => {
  await engine.close()
  folder.remove()
})

async function* inputOf(rows: readonly object[]): AsyncIterable<Buffer> {
  yield Buffer.from(ndjson(rows))
}

const upload = (rows: readonly object[], maxBytes = 1e6) =>
  startImport(stores, actor, {
    import: { source: 's', replace: false, force: true, dryRun: false },
    input: inputOf(rows),
    maxBytes,
  })

/** Returns a job after its end. */
const ended = (outcome: Awaited<ReturnType<typeof upload>>): Promise<Job> => {
  if (isAdminFault(outcome)) throw new Error(outcome.fault)
  return eventually(async () => {
    const job = (await engine.jobs.find(outcome.id))!
    if (job.endedMs === undefined) throw new Error(`The job is ${job.state}.`)
    return job
  })
}

const control = () => new Database(join(data, 'control.sqlite'), { readonly: true })
const eventsOf = (job: string) => {
  const db = control()
  try {
    return db.prepare('SELECT type FROM outbox WHERE data LIKE ?').pluck().all(`%${job}%`)
  } finally {
    db.close()
  }
}

test('an import from a terminal is a job with its counts, rejected rows, audit line and event', async () => {
  const { imports } = (await periplus(['imports', 'list', '--data', data, '--json'])).json<{
    imports: { id: string }[]
  }>()
  expect(imports).toHaveLength(1)
  const { id } = imports[0]!
  const shown = (await periplus(['imports', 'show', id, '--data', data, '--json'])).json()
  expect(shown).toMatchObject({
    kind: 'import',
    state: 'done',
    request: { files: ['places.ndjson'], source: 's', dry_run: false },
    result: { read: 21, added: 20, rejected: 1, reasons: { missing_coordinates: 1 } },
    rejects: [{ input: 'places.ndjson', rows: 1 }],
  })
  expect(await listRejects(stores, actor, { id, skip: 0, limit: 10 })).toMatchObject({
    rows: [{ input: 'places.ndjson', line: 21, reason: 'missing_coordinates' }],
    hasMore: false,
  })
  expect(eventsOf(id)).toEqual(['import.finished'])
  const again = await periplus(['import', file, '--data', data, '--dry-run'])
  expect(again.code).toBe(0)
  expect((await periplus(['jobs', 'list', '--data', data, '--json'])).json()).toMatchObject({ jobs: [{ id }] })
})

test('backups, verifications and builds of feeds are jobs; so are failed ones', async () => {
  const target = join(folder.path, 'backup')
  await periplus(['backup', target, '--data', data])
  await periplus(['backup', target, '--data', data])
  await periplus(['verify', '--data', data, '--actor', 'Ada'])
  await periplus(['verify', '--data', target])
  await periplus(['feeds', 'build', '--data', data])
  const jobs = await engine.jobs.list({ limit: 4 })
  expect(jobs.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
    'feeds done',
    'verify done',
    'backup failed',
    'backup done',
  ])
  expect(jobs[1]!.actor).toMatchObject({ kind: 'cli', id: 'Ada' })
  expect(jobs[1]!.result).toEqual({ ok: true, problems: [] })
  expect(jobs[2]!.failure).toMatchObject({ fault: 'backup_target_used' })
  expect(eventsOf(jobs[2]!.id)).toEqual(['backup.failed'])
  expect(existsSync(join(target, 'jobs'))).toBe(false)
  expect((await periplus(['restore', target, '--data', join(folder.path, 'restored')])).code).toBe(0)
})

test('an uploaded import runs in a process of its own; its files are removed and its rejected rows kept', async () => {
  const started = await upload([...places(30), bad])
  expect(started).toMatchObject({ state: 'waiting', actor })
  // A second one waits for the first, instead of failing.
  const second = await upload(places(1))
  expect(second).toMatchObject({ state: 'waiting' })
  const job = await ended(started)
  const next = await ended(second)
  expect(next).toMatchObject({ state: 'done', result: { read: 1, unchanged: 1 } })
  expect(next.endedMs).toBeGreaterThanOrEqual(job.endedMs!)
  expect(job).toMatchObject({ state: 'done', actor, result: { read: 31, added: 10, unchanged: 20, rejected: 1 } })
  expect(await listRejects(stores, actor, { id: job.id, skip: 0, limit: 10 })).toMatchObject({ rows: [{ line: 31 }] })
  expect(await listRejects(stores, actor, { id: job.id, reason: 'erased', skip: 0, limit: 10 })).toMatchObject({
    rows: [],
  })
  expect(await listRejects(stores, actor, { id: 'job_0', skip: 0, limit: 10 })).toMatchObject({
    fault: 'import_unknown',
  })
  expect(readdirSync(join(data, 'jobs'))).toEqual([])
})

test('an upload that is too large, or that nobody can import, leaves nothing behind', async () => {
  const before = (await engine.jobs.list({ limit: 200 })).length
  expect(await upload(places(100), 1000)).toMatchObject({ fault: 'upload_too_large', maxBytes: 1000 })
  const options = { replace: true, force: false, dryRun: false }
  expect(await startImport(stores, actor, { import: options, input: inputOf([]), maxBytes: 1 })).toMatchObject({
    fault: 'source_required',
  })
  expect((await engine.jobs.list({ limit: 200 })).length).toBe(before)
  expect(readdirSync(join(data, 'jobs'))).toEqual([])
})

/** Starts an import whose input has no end, with any number of repeated places. */
function startEndlessImport() {
  const child = start(['import', '-', '--data', data, '--source', 's', '--force'])
  // The process closes its input when it ends.
  child.stdin!.on('error', () => {})
  return { child, exited: once(child, 'exit') }
}

test('an import is cancelled from another process after its current batch', async () => {
  const { child, exited } = startEndlessImport()
  child.stdin!.write(ndjson(places(6000)))
  const running = await eventually(async () => {
    const [job] = await engine.jobs.list({ state: 'running', limit: 1 })
    if (!job) throw new Error('No job is running.')
    return job
  })
  const id = running.id
  expect((await periplus(['jobs', 'cancel', id, '--data', data])).code).toBe(0)
  // The input has no end, so that only the cancellation can end the import.
  const writing = setInterval(() => child.stdin!.write(ndjson(places(2000))), 20)
  expect((await exited)[0]).toBe(1)
  clearInterval(writing)
  expect(await engine.jobs.find(id)).toMatchObject({ state: 'cancelled', failure: { fault: 'import_cancelled' } })
  expect(await cancelJob(stores, actor, { id })).toMatchObject({ fault: 'job_ended', state: 'cancelled' })
  expect(await cancelJob(stores, actor, { id: 'job_0' })).toMatchObject({ fault: 'job_unknown' })
})

test('a job whose process was killed has failed', async () => {
  const { child, exited } = startEndlessImport()
  child.stdin!.write(ndjson(places(6000)))
  const { id } = await eventually(async () => {
    const [job] = await engine.jobs.list({ state: 'running', limit: 1 })
    if (!job) throw new Error('No job is running.')
    return job
  })
  child.kill('SIGKILL')
  await exited
  expect(await engine.jobs.find(id)).toMatchObject({ state: 'failed', failure: { fault: 'job_process_ended' } })
  expect(eventsOf(id)).toEqual(['import.failed'])
})

test('the maintenance notices dead jobs, and removes folders without a job in which nothing has changed', async () => {
  const { child, exited } = startEndlessImport()
  const job = await eventually(async () => {
    const [newest] = await engine.jobs.list({ limit: 1, state: 'running' })
    if (!newest) throw new Error('The import has not started.')
    return newest
  })
  /** Makes the folder of a job as a killed upload leaves it. */
  const makeFolder = (id: string) => {
    const upload = join(engine.jobs.folderOf(id), 'upload')
    mkdirSync(engine.jobs.folderOf(id), { recursive: true })
    writeFileSync(upload, 'name,lat')
    return upload
  }
  const age = (id: string) => {
    const path = engine.jobs.folderOf(id)
    for (const name of [...readdirSync(path).map(one => join(path, one)), path]) utimesSync(name, 1, 1)
  }
  for (const id of ['job_old', 'job_receiving', 'job_new', 'other']) makeFolder(id)
  for (const id of ['job_old', 'job_receiving', 'other', job.id]) age(id)
  writeFileSync(makeFolder('job_receiving'), 'name,lat,lon')
  await engine.jobs.sweep()
  expect(readdirSync(join(data, 'jobs')).sort()).toEqual([job.id, 'job_new', 'job_receiving', 'other'].sort())
  child.kill('SIGKILL')
  await exited
  await engine.jobs.sweep()
  expect(eventsOf(job.id)).toEqual(['import.failed'])
  for (const id of ['job_receiving', 'job_new', 'other']) rmSync(engine.jobs.folderOf(id), { recursive: true })
  expect(readdirSync(join(data, 'jobs'))).toEqual([])
})

test('a process that cannot start its job reports why', async () => {
  const broken = { ...config, packages: { nothing: true } } as unknown as typeof config
  const processes = composeJobProcesses(broken, engine.jobs)
  const job = await ended(await startVerify({ ...stores, processes }, actor))
  expect(job).toMatchObject({ state: 'failed', failure: { fault: 'job_failed' } })
  expect(JSON.stringify(job.failure)).toContain('packages')
})
