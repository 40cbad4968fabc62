import { setTimeout as delay } from 'node:timers/promises'
import type { Ledger } from '../domain/ledger.ts'
import { hourMs } from '../kit/time.ts'
import { JournalFold } from './fold.ts'
import type { FoldRound } from './journal-lag.ts'
import { formatCursor, parseCursor } from './journal-position.ts'
import { applyRetention, defaultKeepMs } from './retention.ts'

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
  /** Runs after each round. Receives the signal, except after the last round, which follows its abort. */
  readonly afterFold?: (signal?: AbortSignal) => Promise<void>
  /** Returns the number of the file that is being written. Default: the file of the ledger's position. */
  readonly writing?: () => number
  readonly foldEveryMs?: number
  readonly retainEveryMs?: number
  /** Limits of the journal; see RetentionOptions. */
  readonly keepMs?: number
  readonly maxBytes?: number
}

/**
 * Number of consecutive rounds that must find a file missing before it counts as lost: the writer restores a file
 * within one round.
 */
const absentRounds = 2
/** Maximum number of records of the last round, which follows the end of the service. */
const lastRecords = 200_000

/**
 * Folds the journal and applies its retention until the signal is aborted, and then folds what is left. Blocks on disk
 * access: run it in a dedicated thread.
 */
export async function maintainLedger(maintenance: LedgerMaintenance): Promise<void> {
  const { folder, ledger, nowMs, signal, onError, foldEveryMs = 1000, retainEveryMs = hourMs } = maintenance
  const fold = new JournalFold(folder, ledger, absentRounds)
  let retainedMs = 0
  while (!signal.aborted) {
    try {
      const round = await foldRound(fold, maintenance)
      await maintenance.afterFold?.(signal)
      if (Math.abs(nowMs() - retainedMs) >= retainEveryMs) {
        retainedMs = nowMs()
        await retain(fold, round, maintenance)
      }
    } catch (error) {
      onError(error)
    }
    await delay(foldEveryMs, undefined, { signal }).catch(() => {})
  }
  await foldRound(fold, { ...maintenance, signal: AbortSignal.any([]) }, lastRecords).catch(onError)
  await maintenance.afterFold?.()
}

/** The part of the result of a round that retention needs. */
interface Folded {
  /** Number of the file that was being written at the start of the round. */
  readonly writing: number
  readonly lost: ReadonlySet<number>
}

/** Folds the records that have been written since the last round. */
async function foldRound(
  fold: JournalFold,
  { ledger, nowMs, signal, onFolded, writing }: LedgerMaintenance,
  maxRecords = Number.POSITIVE_INFINITY,
): Promise<Folded> {
  const startMs = nowMs()
  const current = writing?.()
  const { records, files, losses, damages } = await fold.run({ signal, maxRecords })
  const file = current ?? parseCursor(await ledger.position()).file
  onFolded?.({
    records,
    position: { file, offset: files.get(file)?.bytes ?? 0 },
    startMs,
    reserved: [...files.keys()].filter(number => number > file),
    losses,
    damages,
  })
  const lost = [...files.values()].filter(({ state }) => state === 'lost')
  return { writing: file, lost: new Set(lost.map(({ file: number }) => number)) }
}

async function retain(fold: JournalFold, { writing, lost }: Folded, maintenance: LedgerMaintenance): Promise<void> {
  const { folder, nowMs, keepMs, maxBytes } = maintenance
  await applyRetention(folder, {
    foldedUpTo: formatCursor({ file: writing, offset: 0 }),
    nowMs: nowMs(),
    except: lost,
    onDrop: files => fold.markDropped(files),
    ...(keepMs !== undefined && { keepMs }),
    ...(maxBytes !== undefined && { maxBytes }),
  })
  await fold.forgetLosses(nowMs() - (keepMs ?? defaultKeepMs))
}
