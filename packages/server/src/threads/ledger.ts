/**
 * The ledger thread: folds the journal into the ledger, fills the request log, compacts the journal, exports usage,
 * finishes erasures, prunes the change log and the audit, and adds dated events. It opens a separate engine, so that
 * the serving thread never waits for a disk (ARCHITECTURE.md).
 */
import { startEventRounds } from '../compose/event-rounds.ts'
import { withFoldEvents } from '../compose/fold-events.ts'
import type { LedgerEvent, LedgerTask } from '../compose/ledger-thread.ts'
import { startMaintenance } from '../compose/maintenance.ts'
import { startUsageExport } from '../compose/usage-export.ts'
import type { RefusalHour } from '../domain/refusal-hours.ts'
import { systemClock } from '../kit/clock.ts'
import { runThread } from '../kit/inside-thread.ts'
import { toError } from '../kit/to-error.ts'
import { openEngine } from '../store/engine.ts'
import { RequestLogFill } from '../usage/fill-request-log.ts'
import { maintainLedger } from '../usage/maintain-ledger.ts'

await runThread<LedgerTask, LedgerEvent>(async ({ data, emit, stopping, serve }) => {
  const { journal, keepMs, maxBytes } = data
  const writing = new Int32Array(data.writing)
  const engine = openEngine(data.engine, { create: false, onReplaced: replaced => emit({ replaced }) })
  const maintenance = startMaintenance(engine, {
    ...data.maintenance,
    nowMs: systemClock.nowMs,
    onError: error => emit({ maintenanceError: toError(error) }),
  })
  const events = startEventRounds(engine, {
    ...data.events,
    nowMs: systemClock.nowMs,
    onError: error => emit({ eventError: toError(error) }),
    onReceivers: () => emit({ receiversExist: true }),
  })
  const usageExport = startUsageExport(engine, data.usageExport, {
    onFailure: exportFailure => emit({ exportFailure }),
    onError: error => emit({ exportError: toError(error) }),
  })
  const log = await engine.openRequestLogWriter()
  serve<readonly RefusalHour[], void>(refusals => log.addRefusals(refusals))
  const ledger = withFoldEvents(engine.ledger, engine.keys, data.packageTable)
  const fill = new RequestLogFill({ folder: journal, ledger, log, nowMs: systemClock.nowMs, ...data.requests })
  await maintainLedger({
    folder: journal,
    ledger,
    nowMs: systemClock.nowMs,
    signal: stopping,
    writing: () => Atomics.load(writing, 0),
    onError: error => emit({ foldError: toError(error) }),
    onFolded: folded => emit({ folded }),
    afterFold: async signal => {
      await fill.run(signal).catch(error => emit({ requestLogError: toError(error) }))
    },
    keepMs,
    maxBytes,
  })
  await usageExport.stop()
  await maintenance.stop()
  await log.close()
  await events.stop()
  await engine.close()
})
