import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { StoreCopy } from '../domain/stores.ts'
import { openFolder } from '../store/engine.ts'
import { copyAll } from './backup-copy.ts'

let home = ''

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'periplus-test-'))
})
afterEach(() => rmSync(home, { recursive: true }))

/** A copy without stores: the test is about the other files. */
const noStores: StoreCopy = {
  revision: 0,
  bytes: 0,
  writeTo: async () => {},
  close: async () => {},
} as StoreCopy

test('omits files that disappear while a backup is made, with their subfolder, and keeps all others', async () => {
  const layout = openFolder({ kind: 'sqlite', folder: join(home, 'data') }, { create: true })
  const feed = join(layout.root, 'feeds', 'a')
  mkdirSync(feed, { recursive: true })
  for (const file of [join(feed, '1.json'), join(feed, '3.json'), join(layout.root, 'kept.json')])
    writeFileSync(file, '{}')
  const listed = ['feeds/a/1.json', 'feeds/a/2.json', 'feeds/a/3.json', 'kept.json', 'vanished.json']
  const backup = join(home, 'backup')
  await copyAll(layout, listed, noStores, backup, () => {})
  expect(readdirSync(backup, { recursive: true }).sort()).toEqual([
    'feeds',
    'journal',
    join('journal', '.folder'),
    'kept.json',
  ])
})
