/**
 * The ledger thread: folds the journal into the ledger, tidies the journal and finishes erasures, on an engine of its own, so
 * that the serving thread never waits for a disk (ARCHITECTURE.md).
 */
import { cleanErasures } from '../compose/clean-erasures.ts'
import type { LedgerEvent, LedgerTask } from '../compose/ledger-thread.ts'
import { systemClock } from '../kit/clock.ts'
import { runThread } from '../kit/inside-thread.ts'
import { openEngine } from '../store/engine.ts'
import { maintainLedger } from '../usage/maintain-ledger.ts'

await runThread<LedgerTask, LedgerEvent>(async ({ data, emit, stopping }) => {
  const { journal, keepMs, maxBytes } = data
  const engine = openEngine(data.engine, { create: false })
  const onError = (error: unknown) => emit({ error: error instanceof Error ? error : new Error(String(error)) })
  const cleaning = cleanErasures({ upkeep: engine.upkeep, onError })
  await maintainLedger({
    folder: journal,
    ledger: engine.ledger,
    nowMs: systemClock.nowMs,
    signal: stopping,
    onError,
    onFolded: folded => emit({ folded }),
    keepMs,
    maxBytes,
  })
  await cleaning.stop()
  await engine.close()
})
