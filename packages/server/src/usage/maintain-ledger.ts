import { setTimeout as delay } from 'node:timers/promises'
import type { Ledger } from '../domain/ledger.ts'
import { foldJournal } from './fold.ts'
import type { FoldRound } from './journal-lag.ts'
import { retain } from './retention.ts'

export interface LedgerMaintenance {
  readonly folder: string
  readonly ledger: Ledger
  readonly nowMs: () => number
  readonly signal: AbortSignal
  /** Told of every failure; the next round tries again, and nothing is lost meanwhile. */
  readonly onError: (error: unknown) => void
  /** Told what each round has done. */
  readonly onFolded?: (round: FoldRound) => void
  readonly foldEveryMs?: number
  readonly retainEveryMs?: number
  readonly keepMs?: number
  readonly maxBytes?: number
}

/** Folds and tidies until it is told to stop. For a worker with a store connection of its own (never for the thread that serves). */
export async function maintainLedger(keeping: LedgerMaintenance): Promise<void> {
  const { folder, ledger, nowMs, signal, onError, onFolded, foldEveryMs = 1000, retainEveryMs = 3_600_000 } = keeping
  let retainedMs = 0
  while (!signal.aborted) {
    try {
      const startMs = nowMs()
      const { records, position } = await foldJournal(folder, ledger, { signal })
      onFolded?.({ records, position, startMs })
      if (Math.abs(nowMs() - retainedMs) >= retainEveryMs) {
        retainedMs = nowMs()
        const { keepMs, maxBytes } = keeping
        const limits = { ...(keepMs !== undefined && { keepMs }), ...(maxBytes !== undefined && { maxBytes }) }
        await retain(folder, { folded: await ledger.position(), nowMs: nowMs(), ...limits })
      }
    } catch (error) {
      onError(error)
    }
    await delay(foldEveryMs, undefined, { signal }).catch(() => {})
  }
}
