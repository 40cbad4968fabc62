import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { DiskUse } from '../domain/disk-use.ts'
import type { Ledger } from '../domain/ledger.ts'
import { getFreeBytes } from '../kit/free-space.ts'
import { dayMs } from '../kit/time.ts'

/** Number of recent days from which the growth of the journal is estimated. */
const growthDays = 7

/** Names of the parts of a data folder, by the first part of the path. */
const partNames: Readonly<Record<string, string>> = {
  'control.sqlite': 'Partners, keys and ledger',
  data: 'Places, reviews and search index',
  journal: 'Usage journal',
  feeds: 'Feeds',
  'requests.sqlite': 'Request log',
}

/** Measures the data folder, and how fast the journal grows. Files that disappear meanwhile are left out. */
export async function measureDisk(folder: string, ledger: Ledger, nowMs: number): Promise<DiskUse> {
  const sizes = new Map<string, number>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const [first = ''] = path.slice(folder.length).replaceAll('\\', '/').replace(/^\//, '').split('/')
    const part = partNames[first.replace(/-(wal|shm)$/, '')] ?? 'Other files'
    const bytes = await stat(path).then(
      ({ size }) => size,
      () => 0,
    )
    sizes.set(part, (sizes.get(part) ?? 0) + bytes)
  }
  return {
    freeBytes: getFreeBytes(folder),
    parts: [...sizes].map(([name, bytes]) => ({ name, bytes })).sort((a, b) => b.bytes - a.bytes),
    journalBytesPerDay: await measureGrowth(ledger, nowMs),
  }
}

/** Estimates the growth of the journal in bytes a day: size of its recent files over the time that they cover. */
async function measureGrowth(ledger: Ledger, nowMs: number): Promise<number> {
  const fromMs = nowMs - growthDays * dayMs
  const files = (await ledger.files()).filter(
    ({ firstMs, lastMs }) => firstMs > 0 && Number.isFinite(lastMs) && lastMs >= fromMs,
  )
  if (files.length === 0) return 0
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const spanMs = nowMs - Math.min(...files.map(({ firstMs }) => firstMs))
  return Math.round((bytes * dayMs) / Math.max(dayMs, spanMs))
}
