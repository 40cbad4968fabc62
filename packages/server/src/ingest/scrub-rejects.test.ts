import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { scrubRejects } from './scrub-rejects.ts'

const folder = mkdtempSync(join(tmpdir(), 'scrub-'))
afterAll(() => rmSync(folder, { recursive: true }))

const line = (id: string) => `${JSON.stringify({ row: JSON.stringify({ id }) })}\n`

test('removes the selected rows and keeps the others', async () => {
  const file = join(folder, 'a.ndjson')
  writeFileSync(file, line('1') + line('2') + line('3'))
  expect(await scrubRejects(folder, ({ id }) => id === '2')).toBe(1)
  expect(readFileSync(file, 'utf8')).toBe(line('1') + line('3'))
  expect(readdirSync(folder)).toEqual(['a.ndjson'])
})

test('rejects when the remaining rows cannot be written', async () => {
  // The name of the temporary file is longer than file systems allow.
  const file = join(folder, 'b'.repeat(252))
  writeFileSync(file, line('1'))
  await expect(scrubRejects(folder, ({ id }) => id === '1')).rejects.toMatchObject({ code: 'ENAMETOOLONG' })
  expect(readFileSync(file, 'utf8')).toBe(line('1'))
})
