import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSqliteLedger } from '../../packages/server/src/store/sqlite/ledger.ts'
import { controlMigrations } from '../../packages/server/src/store/sqlite/migrations/control.ts'
import { openSqlite } from '../../packages/server/src/store/sqlite/open.ts'
import { foldJournal } from '../../packages/server/src/usage/fold.ts'
import { Journal } from '../../packages/server/src/usage/journal.ts'
import { journalPath } from '../../packages/server/src/usage/journal-files.ts'
import { journalIn } from '../../packages/server/src/usage/journal-reader.ts'
import { record } from '../../packages/server/src/usage/records.fixture.ts'

/** Measures records per second and CPU time of the journal with `perTurn` records per write, and of folding them. */
export async function journalThroughput(records: number, perTurn: number) {
  const folder = mkdtempSync(join(tmpdir(), 'periplus-bench-'))
  try {
    const journal = new Journal(folder, { rotateBytes: 1024 ** 3 })
    const some = Array.from({ length: 1000 }, (_, i) => record({ keyId: `k${i % 100}`, subject: `k${i % 100}` }))
    let made = 0
    const next = () => ({
      ...some[made % 1000]!,
      requestId: `0198c0de-0000-7000-8000-${String(++made).padStart(12, '0')}`,
    })
    const cpu = process.cpuUsage()
    const start = performance.now()
    while (made < records) {
      let written: Promise<unknown> | undefined
      for (let i = 0; i < perTurn; i++) written = journal.append(next())
      await written
    }
    const seconds = (performance.now() - start) / 1000
    const { user, system } = process.cpuUsage(cpu)
    await journal.close()
    const bytesEach = Math.round(statSync(journalPath(folder, 1)).size / made)

    const db = openSqlite(join(folder, 'control.sqlite'), controlMigrations, { create: true, synchronous: 'NORMAL' })
    const foldStart = performance.now()
    await foldJournal(journalIn(folder), createSqliteLedger(db))
    const foldSeconds = (performance.now() - foldStart) / 1000
    db.close()
    return {
      perTurn,
      recordsPerSecond: Math.round(made / seconds),
      cpuUsEach: Number(((user + system) / made).toFixed(2)),
      bytesEach,
      foldedPerSecond: Math.round(made / foldSeconds),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
