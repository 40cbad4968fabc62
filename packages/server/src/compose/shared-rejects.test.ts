import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { settableClock } from '../../test/clock.ts'
import { scratch } from '../../test/world.ts'
import type { Job, JobStore } from '../domain/job.ts'
import { openBlobs } from '../store/blobs/open.ts'
import { composeRejectsReader } from './rejects.ts'
import { moveOldRejects, rejectsKey, scrubSharedRejects, shareRejects } from './shared-rejects.ts'
import { removeOldUploads, shareUploads } from './shared-uploads.ts'

const folder = scratch()
afterAll(() => folder.remove())
const place = join(folder.path, 'blobs')
const own = join(folder.path, 'rejects')
mkdirSync(place)
mkdirSync(own)
const blobs = await openBlobs({ kind: 'folder', path: place })
const keysBelow = async (prefix: string) => (await Array.fromAsync(blobs.list(prefix))).map(({ key }) => key).sort()

test('rejected rows are read from the blobs; rows that nothing shows any more are removed', async () => {
  const shown = new Set(['job_running'])
  const jobs = {
    find: async id => ({ id, ...(!shown.has(id) && { endedMs: 1 }) }) as Job,
    rejects: async () => [],
  } as Partial<JobStore> as JobStore
  const file = join(own, 'a.ndjson')
  const line = (id: string) => `${JSON.stringify({ line: 1, reason: 'r', row: JSON.stringify({ id }) })}\n`
  writeFileSync(file, `${line('1')}${line('2')}{"torn`)
  for (const job of ['job_replaced', 'job_running', 'job_now']) await shareRejects(blobs, jobs, job, file)
  expect(await keysBelow('rejects/')).toEqual(['job_now', 'job_running'].map(job => rejectsKey(job, file)))
  const read = composeRejectsReader({ blobs: place })
  const rowsOf = async (job: string) => (await Array.fromAsync(read(job, file))).map(({ row }) => row)
  writeFileSync(file, line('3'))
  expect(await rowsOf('job_now')).toEqual(['{"id":"1"}', '{"id":"2"}'])
  // A row that could not be copied is in the file alone.
  expect(await rowsOf('job_replaced')).toEqual(['{"id":"3"}'])
  expect(await scrubSharedRejects(blobs, own, ({ id }) => id === '2')).toBe(2)
  expect([await rowsOf('job_now'), await rowsOf('job_running')]).toEqual([['{"id":"1"}'], ['{"id":"1"}']])
  expect(readdirSync(own)).toEqual(['a.ndjson'])
})

test('files of a node move to the blobs after an hour', async () => {
  const [file, newer] = [join(own, 'old.ndjson'), join(own, 'newer.ndjson')]
  const jobs = {
    list: async () => [{ id: 'job_old' }, { id: 'job_newer' }] as Job[],
    rejects: async id => [{ input: '', file: id === 'job_old' ? file : newer, rows: 1 }],
  } as Partial<JobStore> as JobStore
  for (const path of [file, newer]) writeFileSync(path, '{}\n')
  utimesSync(file, new Date(), new Date(Date.now() - 3_601_000))
  await moveOldRejects({ folder: own, blobs, jobs }, Date.now())
  expect([existsSync(file), existsSync(newer)]).toEqual([false, true])
  expect(await blobs.head(rejectsKey('job_old', file))).toEqual({ bytes: 3 })
  expect(await blobs.head(rejectsKey('job_newer', newer))).toBeUndefined()
})

test('inputs of dry runs are among the blobs for an hour, three at most (R-93)', async () => {
  const clock = settableClock(1_000_000_000_000)
  const uploads = shareUploads(blobs, clock)
  const input = join(folder.path, 'input')
  for (const job of ['job_a', 'job_b', 'job_c', 'job_d']) {
    clock.ms += 60_000
    writeFileSync(input, `input of ${job}`)
    await uploads.keep(job, input)
  }
  expect((await keysBelow('kept/')).map(key => key.split('-')[1])).toEqual(['job_b', 'job_c', 'job_d'])
  const target = join(folder.path, 'next', 'upload')
  expect([await uploads.reuse('job_a', target), existsSync(target)]).toEqual([undefined, false])
  expect(await uploads.reuse('job_d', target)).toBe('input of job_d'.length)
  await uploads.remove('job_d')
  expect([await uploads.isKept('job_d'), await uploads.isKept('job_b')]).toEqual([false, true])
  clock.ms += 3_600_000 - 90_000
  expect([await uploads.isKept('job_b'), await uploads.isKept('job_c')]).toEqual([false, true])
  await removeOldUploads(blobs, clock.nowMs())
  expect((await keysBelow('kept/')).map(key => key.split('-')[1])).toEqual(['job_c'])
})
