import type { Fold } from '../../domain/ledger.ts'
import type { PostgresSession } from './pool.ts'

/** Lock of the row of the epoch. Folds share it, unless they change it. */
export type EpochLock = 'SHARE' | 'UPDATE'

/** Number of calls by epoch. */
type Epochs = NonNullable<Fold['epochs']>

interface EpochRow {
  readonly epoch: bigint
  readonly state: 'opening' | 'open'
  readonly late: boolean
}

/**
 * Holds the row that orders folds and epochs. Calls of another epoch than the open one are late, because the states of
 * this epoch do not have them. Calls of epoch 0 were answered alone, without any epoch: the node is blind.
 * Returns the number of late calls; undefined, with nothing changed, if the row has to change and is only shared.
 */
export async function noteEpochs(
  session: PostgresSession,
  lock: EpochLock,
  node: string,
  epochs: Epochs,
): Promise<number | undefined> {
  const [row] = await session.query<EpochRow>(`SELECT epoch, state, late FROM limit_epoch FOR ${lock}`)
  const late = row!.state === 'open' ? countOthers(epochs, Number(row!.epoch)) : 0
  if (late > 0 && !row!.late) {
    if (lock === 'SHARE') return undefined
    await session.run('UPDATE limit_epoch SET late = true')
  }
  if (epochs.has(0)) await session.run('UPDATE cluster_nodes SET blind = true WHERE node = $1', [node])
  return late
}

/** Returns the number of calls of other epochs than the given one. */
const countOthers = (epochs: Epochs, given: number): number =>
  [...epochs].reduce((sum, [epoch, calls]) => (epoch === 0 || epoch === given ? sum : sum + calls), 0)
