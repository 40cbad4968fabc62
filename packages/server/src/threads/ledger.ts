/**
 * The ledger thread: folds the journal into the ledger, compacts the journal, finishes erasures and prunes the change
 * log and the audit. It opens a separate engine, so that the serving thread never waits for a disk (ARCHITECTURE.md).
 */
import type { LedgerEvent, LedgerTask } from '../compose/ledger-thread.ts'
import { startMaintenance } from '../compose/maintenance.ts'
import { systemClock } from '../kit/clock.ts'
import { runThread } from '../kit/inside-thread.ts'
import { openEngine } from '../store/engine.ts'
import { maintainLedger } from '../usage/maintain-ledger.ts'

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

await runThread<LedgerTask, LedgerEvent>(async ({ data, emit, stopping }) => {
  const { journal, keepMs, maxBytes } = data
  const writing = new Int32Array(data.writing)
  const engine = openEngine(data.engine, { create: false, onReplaced: replaced => emit({ replaced }) })
  const maintenance = startMaintenance(engine, {
    ...data.maintenance,
    nowMs: systemClock.nowMs,
    onError: error => emit({ maintenanceError: toError(error) }),
  })
  await maintainLedger({
    folder: journal,
    ledger: engine.ledger,
    nowMs: systemClock.nowMs,
    signal: stopping,
    writing: () => Atomics.load(writing, 0),
    onError: error => emit({ foldError: toError(error) }),
    onFolded: folded => emit({ folded }),
    keepMs,
    maxBytes,
  })
  await maintenance.stop()
  await engine.close()
})
