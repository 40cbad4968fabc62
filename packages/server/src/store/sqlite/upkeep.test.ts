import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openEngine } from '../engine.ts'
import { locateLayout } from '../folder/layout.ts'
import { getSqliteFiles } from './files.ts'

/** The kernel's list of file locks, which Linux alone has. */
const kernelLocks = '/proc/locks'

test.skipIf(!existsSync(kernelLocks))('the search for traces keeps the locks of all connections', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'periplus-test-upkeep-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const engine = openEngine({ kind: 'sqlite', folder }, { create: true })
  onTestFinished(() => engine.close())
  const { data } = getSqliteFiles(locateLayout(folder, 'g1'))
  const isLocked = () => readFileSync(kernelLocks, 'utf8').includes(`:${statSync(data).ino} `)

  await engine.changes.lastSeq()
  expect(isLocked()).toBe(true)
  await engine.upkeep.cleanUp(['The text of an erased review.'])
  expect(isLocked()).toBe(true)
})
