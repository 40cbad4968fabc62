import { setTimeout as delay } from 'node:timers/promises'
import { LockHeld, StoreError } from '../../domain/store-errors.ts'
import type { Locks } from '../../domain/stores.ts'
import { requestEnd, withdrawRequest } from '../folder/moved.ts'
import { alignTable, copyTable, type RowProgress } from './copy-rows.ts'
import type { MovedColumns, MovedProof, MovedSource, MovedTarget } from './moved-rows.ts'
import { controlTables, dataTables, numberedColumns } from './tables.ts'

/** Number of new lines of the change log from which the copy follows them before it locks imports. */
const fewLines = 1000
/** Maximum wait for the end of the service, and the interval between two looks, in milliseconds. */
const [endWaitMs, endEveryMs] = [120_000, 50]

/** The current step of a move. */
export type MoveStep = 'copy' | 'follow' | 'lock' | 'end_service' | 'control' | 'complete'

/** Informed about what a move does. */
export interface MoveListener {
  readonly onStep: (step: MoveStep) => void
  readonly onProgress: RowProgress
}

export interface MoveParts extends MoveListener {
  readonly root: string
  readonly source: MovedSource
  readonly target: MovedTarget
  readonly locks: Locks
  /** Stores where the data moves to, so that nothing opens the folder any more. */
  readonly mark: () => { withdraw(): void }
}

/**
 * Moves the contents of a data folder to a database, while a service and imports may run. Records are copied as of one
 * moment and compared until few are new; then imports and decisions wait, the service ends, and everything else is
 * copied. Returns what both sides have. Throws StoreError if they differ; the folder is as before.
 */
export async function moveStores(parts: MoveParts): Promise<MovedProof[]> {
  const { root, source, target, locks, onStep } = parts
  const [data, control] = [await columnsOf(dataTables, target), await columnsOf(controlTables, target)]
  onStep('copy')
  source.begin()
  for (const table of data) await copyTable(table, parts)
  onStep('follow')
  let followed = await follow(data, parts)
  while (source.lastSeq() - followed.seq >= fewLines) followed = await follow(data, parts)

  onStep('lock')
  const imports = await locks.hold('import', `An import is running on ${root}. Run the command again after it.`)
  try {
    source.lockData()
    const records = source.begin() === followed.version ? followed.proofs : await alignAll(data, parts)
    onStep('end_service')
    requestEnd(root)
    const service = await waitForService(parts)
    try {
      onStep('control')
      source.lockControl()
      const others = await target.transaction(() => copyControl(control, parts))
      onStep('complete')
      // Before the contents are final, so that no service starts in between.
      const moved = parts.mark()
      try {
        source.fence()
      } catch (error) {
        moved.withdraw()
        throw error
      }
      return [...records, ...others]
    } finally {
      await service.release()
    }
  } finally {
    withdrawRequest(root)
    await imports.release()
  }
}

const columnsOf = async (tables: typeof dataTables, target: MovedTarget): Promise<MovedColumns[]> => {
  const found: MovedColumns[] = []
  for (const table of tables) found.push(await target.columnsOf(table))
  return found
}

/** Compares all records as of now. */
async function follow(data: readonly MovedColumns[], parts: MoveParts) {
  const [version, seq] = [parts.source.begin(), parts.source.lastSeq()]
  return { version, seq, proofs: await alignAll(data, parts) }
}

async function alignAll(tables: readonly MovedColumns[], parts: MoveParts): Promise<MovedProof[]> {
  const proofs: MovedProof[] = []
  for (const table of tables) proofs.push(await alignTable(table, parts))
  return proofs
}

/** Copies all tables but those of records, and the numbers that columns continue after. */
async function copyControl(tables: readonly MovedColumns[], parts: MoveParts): Promise<MovedProof[]> {
  const { source, target } = parts
  await target.empty(tables)
  for (const table of tables) await copyTable(table, parts)
  for (const [table, column] of numberedColumns)
    await target.setLastNumber(table, column, source.lastNumber(table, column))
  await target.setIdentity(source.identity())
  return alignAll(tables, parts)
}

/** Takes the lock of the service as soon as it has ended. */
async function waitForService({ root, locks }: MoveParts) {
  const message = `The service of ${root} has not ended. Stop it, and run the command again.`
  for (const untilMs = performance.now() + endWaitMs; ; await delay(endEveryMs)) {
    try {
      return await locks.hold('serve', message)
    } catch (error) {
      if (!(error instanceof LockHeld)) throw error
      if (performance.now() >= untilMs) throw new StoreError(message)
    }
  }
}
