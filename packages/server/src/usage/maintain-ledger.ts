import { setTimeout as delay } from 'node:timers/promises'
import type { Ledger } from '../domain/ledger.ts'
import { hourMs } from '../kit/time.ts'
import { JournalFold } from './fold.ts'
import type { FoldRound } from './journal-lag.ts'
import { formatCursor, parseCursor } from './journal-position.ts'
import type { JournalReader } from './journal-reader.ts'
import { applyRetention, defaultKeepMs } from './retention.ts'
import type { JournalShipping, ShippingRound } from './ship-journal.ts'

/** Options of `maintainLedger`. */
export interface LedgerMaintenance {
  /** The journal's folder. */
  readonly folder: string
  /** The files of the journal: in its folder, and in the blobs. */
  readonly journal: JournalReader
  readonly ledger: Ledger
  /** Copies the journal to the blobs; undefined without these. */
  readonly shipping?: JournalShipping | undefined
  readonly nowMs: () => number
  /** Ends the maintenance. */
  readonly signal: AbortSignal
  /** Called with each failure; the next round retries, and nothing is lost. */
  readonly onError: (error: unknown) => void
  /** Called with each failure of shipping. */
  readonly onShippingError?: (error: unknown) => void
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
  const { journal, ledger, nowMs, signal, onError, foldEveryMs = 1000, retainEveryMs = hourMs } = maintenance
  const fold = new JournalFold(journal, ledger, absentRounds)
  let retainedMs = 0
  while (!signal.aborted) {
    try {
      const round = await foldRound(fold, maintenance)
      await ship(round, maintenance)
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
  try {
    const last = await foldRound(fold, { ...maintenance, signal: AbortSignal.any([]) }, lastRecords)
    await ship({ ...last, isLast: true }, maintenance)
  } catch (error) {
    onError(error)
  }
  await maintenance.afterFold?.()
}

/** Ships the files of a round. What is not shipped stays in the folder until a later round ships it. */
async function ship(round: ShippingRound, { shipping, onShippingError = () => {} }: LedgerMaintenance): Promise<void> {
  await shipping?.run(round).catch(onShippingError)
}

/** Folds the records that have been written since the last round. */
async function foldRound(
  fold: JournalFold,
  { ledger, nowMs, signal, onFolded, writing }: LedgerMaintenance,
  maxRecords = Number.POSITIVE_INFINITY,
): Promise<ShippingRound> {
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
  return { writing: file, files }
}

async function retain(
  fold: JournalFold,
  { writing, files: folded }: ShippingRound,
  maintenance: LedgerMaintenance,
): Promise<void> {
  const { folder, nowMs, keepMs, maxBytes, shipping } = maintenance
  const lost = [...folded.values()].filter(({ state }) => state === 'lost')
  await applyRetention(folder, {
    foldedUpTo: formatCursor({ file: writing, offset: 0 }),
    nowMs: nowMs(),
    except: new Set(lost.map(({ file }) => file)),
    ...(shipping && { isShipped: file => shipping.has(folded.get(file) ?? { file, bytes: 0 }) }),
    onDrop: files => fold.markDropped(files),
    ...(keepMs !== undefined && { keepMs }),
    ...(maxBytes !== undefined && { maxBytes }),
  })
  await shipping?.dropExpired(nowMs() - (keepMs ?? defaultKeepMs))
  await fold.forgetLosses(nowMs() - (keepMs ?? defaultKeepMs))
}
