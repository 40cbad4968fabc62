/**
 * A worker thread: folds the journal into the ledger and tidies it, and finishes erasures, on store connections of its
 * own, so that the serving thread never waits for a disk (ARCHITECTURE.md).
 */
import { parentPort, workerData } from 'node:worker_threads'
import { cleanErasures } from '../compose/clean-erasures.ts'
import type { LedgerEvent, LedgerTask } from '../compose/ledger-thread.ts'
import { systemClock } from '../kit/clock.ts'
import { sqliteLedger } from '../store/sqlite/ledger.ts'
import { controlMigrations } from '../store/sqlite/migrations/control.ts'
import { openSqlite } from '../store/sqlite/open.ts'
import { keepBooks } from '../usage/keep-books.ts'

const { control, journal, keepMs, maxBytes, data, importLock } = workerData as LedgerTask
const db = openSqlite(control, controlMigrations, { synchronous: 'FULL' })
const stopping = new AbortController()
parentPort!.once('message', () => stopping.abort())
const tell = (what: LedgerEvent) => parentPort!.postMessage(what)
const onError = (error: unknown) => tell({ error: String(error) })
const cleaning = cleanErasures({ control: db, data, importLock, onError })

await keepBooks({
  folder: journal,
  ledger: sqliteLedger(db),
  nowMs: systemClock.nowMs,
  signal: stopping.signal,
  onError,
  onFolded: folded => tell({ folded }),
  keepMs,
  maxBytes,
})
cleaning.stop()
db.close()
parentPort!.close()
