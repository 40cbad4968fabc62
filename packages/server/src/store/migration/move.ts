import { alignTable, copyTable, type RowProgress } from './copy-rows.ts'
import type { MovedColumns, MovedProof, MovedSource, MovedTarget } from './moved-rows.ts'
import { controlTables, dataTables, type MovedTable, numberedColumns } from './tables.ts'

/** Number of new lines of the change log from which the copy follows them before it locks imports. */
const fewLines = 1000

/** The current step of a move. */
export type MoveStep = 'copy' | 'files' | 'follow' | 'lock' | 'end_service' | 'control' | 'complete' | 'share'

/** Informed about what a move does. */
export interface MoveListener {
  readonly onStep: (step: MoveStep) => void
  readonly onProgress: RowProgress
}

/** Something that is held until `release`. */
export interface Held {
  release(): Promise<void>
}

export interface MoveParts extends MoveListener {
  readonly source: MovedSource
  readonly target: MovedTarget
  /** Adds the columns of a table that are moved. */
  readonly columnsOf: (table: MovedTable) => Promise<MovedColumns>
  /** Excludes imports. */
  readonly lockImports: () => Promise<Held>
  /** Asks all services to end, waits for them, and excludes new ones. */
  readonly endServices: () => Promise<Held>
  /** Copies files: what there is while services run, and the rest when they have ended. */
  readonly copyFiles?: (isFinal: boolean) => Promise<void>
  /** Stores where the data moves to, so that nothing opens the source any more. */
  readonly mark: () => { withdraw(): void }
}

/**
 * Moves the contents of stores to others, while services and imports may run. Records are copied as of one moment and
 * compared until few are new; then imports and decisions wait, the services end, and everything else is copied (R-130,
 * Returns what both sides have. Throws StoreError if they differ; the source is as before.
 */
export async function moveStores(parts: MoveParts): Promise<MovedProof[]> {
  const { source, target, onStep, copyFiles } = parts
  const [data, control] = [await columnsOf(dataTables, parts), await columnsOf(controlTables, parts)]
  onStep('copy')
  await source.begin()
  for (const table of data) await copyTable(table, parts)
  if (copyFiles) onStep('files')
  await copyFiles?.(false)
  onStep('follow')
  let followed = await follow(data, parts)
  while ((await source.lastSeq()) - followed.seq >= fewLines) followed = await follow(data, parts)

  onStep('lock')
  const imports = await parts.lockImports()
  try {
    await source.lockData()
    const records = (await source.begin()) === followed.version ? followed.proofs : await alignAll(data, parts)
    onStep('end_service')
    const services = await parts.endServices()
    try {
      onStep('control')
      await source.lockControl()
      const others = await target.transaction(() => copyControl(control, parts))
      await copyFiles?.(true)
      onStep('complete')
      await complete(parts)
      return [...records, ...others]
    } finally {
      await services.release()
    }
  } finally {
    await imports.release()
  }
}

/** Stores that the data has moved before its contents are final, so that no service starts in between. */
async function complete({ source, mark }: MoveParts): Promise<void> {
  const moved = mark()
  try {
    await source.fence()
  } catch (error) {
    moved.withdraw()
    throw error
  }
}

const columnsOf = async (tables: readonly MovedTable[], parts: MoveParts): Promise<MovedColumns[]> => {
  const found: MovedColumns[] = []
  for (const table of tables) found.push(await parts.columnsOf(table))
  return found
}

/** Compares all records as of now. */
async function follow(data: readonly MovedColumns[], parts: MoveParts) {
  const [version, seq] = [await parts.source.begin(), await parts.source.lastSeq()]
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
    await target.setLastNumber(table, column, await source.lastNumber(table, column))
  await target.setIdentity(await source.identity())
  return alignAll(tables, parts)
}
