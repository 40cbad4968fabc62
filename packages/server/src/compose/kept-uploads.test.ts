import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { scratch } from '../../test/world.ts'
import { keepUploads } from './kept-uploads.ts'

const folder = scratch()
afterAll(() => folder.remove())

test('inputs are kept for an hour, three at most, and used without another copy of the original (R-93)', () => {
  const kept = join(folder.path, 'kept')
  const uploads = keepUploads(kept)
  const input = join(folder.path, 'input')
  for (const [i, job] of ['a', 'b', 'c', 'd'].entries()) {
    const file = `${input}-${job}`
    writeFileSync(file, `input of ${job}`)
    utimesSync(file, new Date(), new Date(Date.now() - 60_000 * (4 - i)))
    uploads.keep(job, file)
  }
  expect(readdirSync(kept).sort()).toEqual(['b', 'c', 'd'])
  expect(uploads.isKept('a')).toBe(false)
  const target = join(folder.path, 'next', 'upload')
  expect(uploads.reuse('a', target)).toBeUndefined()
  expect(existsSync(target)).toBe(false)
  expect(uploads.reuse('d', target)).toBe('input of d'.length)
  expect(readFileSync(target, 'utf8')).toBe('input of d')
  uploads.remove('d')
  expect([uploads.isKept('d'), existsSync(target)]).toEqual([false, true])
  utimesSync(join(kept, 'b'), new Date(), new Date(Date.now() - 3_601_000))
  expect(uploads.isKept('b')).toBe(false)
  expect(readdirSync(kept)).toEqual(['c'])
  utimesSync(join(kept, 'c'), new Date(), new Date(Date.now() - 3_601_000))
  keepUploads(kept)
  expect(readdirSync(kept)).toEqual([])
})
