import { setTimeout as delay } from 'node:timers/promises'
import type { Ledger } from '../domain/ledger.ts'
import { foldJournal } from './fold.ts'
import type { FoldRound } from './journal-lag.ts'
import { applyRetention } from './retention.ts'

/** Options of `maintainLedger`. */
export interface LedgerMaintenance {
  /** The journal's folder. */
  readonly folder: string
  readonly ledger: Ledger
  readonly nowMs: () => number
  /** Ends the maintenance. */
  readonly signal: AbortSignal
  /** Called with each failure; the next round retries, and nothing is lost. */
  readonly onError: (error: unknown) => void
  /** Called after each round. */
  readonly onFolded?: (round: FoldRound) => void
  readonly foldEveryMs?: number
  readonly retainEveryMs?: number
  /** Limits of the journal; see RetentionOptions. */
  readonly keepMs?: number
  readonly maxBytes?: number
}

/** Folds the journal and applies its retention until the signal is aborted. Blocks on disk access: run it in a dedicated thread. */
export async function maintainLedger(maintenance: LedgerMaintenance): Promise<void> {
  const {
    folder,
    ledger,
    nowMs,
    signal,
    onError,
    onFolded,
    foldEveryMs = 1000,
    retainEveryMs = 3_600_000,
  } = maintenance
  const { keepMs, maxBytes } = maintenance
  const limits = { ...(keepMs !== undefined && { keepMs }), ...(maxBytes !== undefined && { maxBytes }) }
  let retainedMs = 0
  while (!signal.aborted) {
    try {
      const startMs = nowMs()
      const { records, position } = await foldJournal(folder, ledger, { signal })
      onFolded?.({ records, position, startMs })
      if (Math.abs(nowMs() - retainedMs) >= retainEveryMs) {
        retainedMs = nowMs()
        await applyRetention(folder, { foldedUpTo: await ledger.position(), nowMs: nowMs(), ...limits })
      }
    } catch (error) {
      onError(error)
    }
    await delay(foldEveryMs, undefined, { signal }).catch(() => {})
  }
}
