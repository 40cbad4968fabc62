import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { scratch } from '../../test/world.ts'
import { keepUploads } from './kept-uploads.ts'

const folder = scratch()
afterAll(() => folder.remove())

test('inputs are kept for an hour, three at most, and used without another copy of the original (R-93)', async () => {
  const kept = join(folder.path, 'kept')
  const uploads = keepUploads(kept)
  const input = join(folder.path, 'input')
  for (const [i, job] of ['a', 'b', 'c', 'd'].entries()) {
    const file = `${input}-${job}`
    writeFileSync(file, `input of ${job}`)
    utimesSync(file, new Date(), new Date(Date.now() - 60_000 * (4 - i)))
    await uploads.keep(job, file)
  }
  expect(readdirSync(kept).sort()).toEqual(['b', 'c', 'd'])
  expect(await uploads.isKept('a')).toBe(false)
  const target = join(folder.path, 'next', 'upload')
  expect(await uploads.reuse('a', target)).toBeUndefined()
  expect(existsSync(target)).toBe(false)
  expect(await uploads.reuse('d', target)).toBe('input of d'.length)
  expect(readFileSync(target, 'utf8')).toBe('input of d')
  await uploads.remove('d')
  expect([await uploads.isKept('d'), existsSync(target)]).toEqual([false, true])
  utimesSync(join(kept, 'b'), new Date(), new Date(Date.now() - 3_601_000))
  expect(await uploads.isKept('b')).toBe(false)
  expect(readdirSync(kept)).toEqual(['c'])
  utimesSync(join(kept, 'c'), new Date(), new Date(Date.now() - 3_601_000))
  keepUploads(kept)
  expect(readdirSync(kept)).toEqual([])
})

test('an input that a killed process has left is removed after its time, even if no one asks for it', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  try {
    const kept = join(folder.path, 'left')
    mkdirSync(kept)
    for (const [name, minutes] of [
      ['old', 45],
      ['new', 15],
    ] as const) {
      writeFileSync(join(kept, name), name)
      utimesSync(join(kept, name), new Date(), new Date(Date.now() - minutes * 60_000))
    }
    keepUploads(kept)
    vi.advanceTimersByTime(16 * 60_000)
    expect(readdirSync(kept)).toEqual(['new'])
    vi.advanceTimersByTime(30 * 60_000)
    expect(readdirSync(kept)).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})
