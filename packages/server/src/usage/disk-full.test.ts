import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { Journal } from './journal.ts'
import { journalStart } from './journal-position.ts'
import { readJournal } from './journal-reader.ts'
import { record } from './records.fixture.ts'

const disk = mkdtempSync(join(tmpdir(), 'periplus-disk-'))
const mounted = mountSmallDisk()
afterAll(() => {
  if (mounted) execFileSync('umount', [disk])
  rmSync(disk, { recursive: true })
})

/** Mounts a disk of 1 MB, which needs Linux and root; returns false when that fails. */
function mountSmallDisk(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

it.skipIf(!mounted)(
  'refuses records on a full disk, accepts them when space is available, and keeps every acknowledged record',
  async () => {
    const ballast = join(disk, 'ballast')
    writeFileSync(ballast, Buffer.alloc(900_000))
    const journal = new Journal(join(disk, 'journal'))
    const answered: string[] = []
    let refused = 0
    for (let i = 0; i < 2000; i++) {
      const r = record()
      if ((await journal.append(r)) === 'written') answered.push(r.requestId)
      else refused++
    }
    expect(refused).toBeGreaterThan(0)
    expect(journal.failure()?.code).toBe('ENOSPC')
    rmSync(ballast)
    await expect.poll(() => journal.failure()).toBeUndefined()
    const last = record()
    expect(await journal.append(last)).toBe('written')
    await journal.close()
    const stored: string[] = []
    for await (const batch of readJournal(join(disk, 'journal'), journalStart))
      stored.push(...batch.records.map(r => r.requestId))
    expect(stored).toEqual([...answered, last.requestId])
  },
)
