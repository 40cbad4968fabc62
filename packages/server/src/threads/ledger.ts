/**
 * A worker thread: folds the journal into the ledger and tidies it, and finishes erasures, on store connections of its
 * own, so that the serving thread never waits for a disk (ARCHITECTURE.md).
 */
import { parentPort, workerData } from 'node:worker_threads'
import { cleanErasures } from '../compose/clean-erasures.ts'
import type { LedgerEvent, LedgerTask } from '../compose/ledger-thread.ts'
import { systemClock } from '../kit/clock.ts'
import { openEngine } from '../store/engine.ts'
import { keepBooks } from '../usage/keep-books.ts'

const { engine: descriptor, journal, keepMs, maxBytes } = workerData as LedgerTask
const engine = openEngine(descriptor, { create: false })
const stopping = new AbortController()
parentPort!.once('message', () => stopping.abort())
const tell = (what: LedgerEvent) => parentPort!.postMessage(what)
const onError = (error: unknown) => tell({ error: String(error) })
const cleaning = cleanErasures({ upkeep: engine.upkeep, onError })

await keepBooks({
  folder: journal,
  ledger: engine.ledger,
  nowMs: systemClock.nowMs,
  signal: stopping.signal,
  onError,
  onFolded: folded => tell({ folded }),
  keepMs,
  maxBytes,
})
await cleaning.stop()
await engine.close()
parentPort!.close()
