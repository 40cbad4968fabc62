import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { Removal } from '../../domain/full-sync.ts'
import { emptyReport, type FieldMapping, type ImportReport, type InputDescription } from '../../domain/import.ts'
import type { Importer, Imports, ImportWait } from '../../domain/importer.ts'
import {
  noRuns,
  SyncFailed,
  type SyncInput,
  type SyncRows,
  type SyncSource,
  type SyncState,
  type SyncStore,
} from '../../domain/sync.ts'
import type { Clock } from '../../kit/clock.ts'
import { checkFields } from './check-fields.ts'
import { checkSource } from './check-texts.ts'
import { startFault, stopFault, syncStopFault } from './import-faults.ts'
import type { ImportedInput, ImportOutcome } from './import-request.ts'
import { sumReports } from './import-sums.ts'
import { countRun } from './sync-outcome.ts'

/** Number of rejections in the result of an input. */
const keptRejections = 5

/** A run of a sync. */
export interface SyncRequest {
  /** Name of the sync, and source of its records. */
  readonly name: string
  readonly source: SyncSource
  readonly fields: readonly FieldMapping[]
  /** Reads everything again, and removes the records that the source no longer has. */
  readonly full: boolean
  /** Continues although more than a tenth of the rows are rejected, or 5 % of the records would be removed. */
  readonly force: boolean
  readonly updateIndex: boolean
  readonly wait: ImportWait
  readonly signal?: AbortSignal | undefined
  /** Called after each batch that changes something, or rejects a row that earlier runs have not read. */
  readonly onChange?: (read: number) => Promise<void>
  /** Formats a fault as a sentence for the state of the sync. */
  readonly describe: (fault: AdminFault) => string
}

/** Result of a run. */
export interface SyncResult {
  readonly outcome: ImportOutcome
  /** Sentences about rows that later runs will not read. */
  readonly notes: readonly string[]
}

/** Dependencies of a sync. */
export interface SyncStores {
  readonly imports: Imports
  readonly syncs: SyncStore
  readonly clock: Clock
}

/**
 * Reads the rows of a source that have changed, and stores them (R-165). The position is stored after each batch, so
 * that a killed run continues there; rows that are read twice change nothing. The state of the sync has the result.
 */
export async function runSync(stores: SyncStores, request: SyncRequest): Promise<SyncResult | AdminFault> {
  const { name, source, full, describe, signal } = request
  const invalid = checkSource(name, 'name')
  if (invalid) return invalid
  const known = await stores.syncs.find(name)
  const isContinued = known?.origin === source.origin && known.position !== undefined && !full
  const state: SyncState = {
    name,
    origin: source.origin,
    ...(isContinued && { position: known.position! }),
    last: known?.last ?? noRuns,
  }
  const run = new SyncRun(stores, request, state)
  const result = await run.execute().catch(error => {
    if (error instanceof SyncFailed) return adminFault('sync_failed', ['from'], { name, detail: error.message })
    throw error
  })
  // A cancelled run is not a failure of its source.
  if (signal?.aborted) return result
  await run.end(isAdminFault(result) ? describe(result) : result.outcome.failure && describe(result.outcome.failure))
  return result
}

class SyncRun {
  readonly #stores: SyncStores
  readonly #request: SyncRequest
  readonly #reports: ImportReport[] = []
  #state: SyncState

  constructor(stores: SyncStores, request: SyncRequest, state: SyncState) {
    this.#stores = stores
    this.#request = request
    this.#state = state
  }

  async execute(): Promise<SyncResult | AdminFault> {
    const { name, source, fields, full, wait } = this.#request
    const invalid = checkFields(this.#stores.imports, fields)
    if (invalid) return invalid
    const { position } = this.#state
    const { isComplete } = await source.prepare(position)
    const replaced = isComplete && (full || source.removesMissing) ? name : undefined
    const importer = await this.#start({ dryRun: false, replacedSource: replaced, wait })
    if (isAdminFault(importer)) return importer
    let rows: SyncRows | undefined
    try {
      rows = await source.open(position)
      if (!rows) return { outcome: this.#outcome([], [], undefined), notes: [] }
      return await this.#store(importer, rows, replaced)
    } finally {
      await rows?.close().catch(() => {})
      await importer.close()
    }
  }

  /** Stores the end of the run, and its failure as a sentence. */
  async end(failure: string | undefined): Promise<void> {
    const last = countRun(this.#state.last, sumReports(this.#reports, []), this.#stores.clock.nowMs(), failure)
    await this.#put({ ...this.#state, last })
  }

  async #start(mode: Parameters<Imports['start']>[0]): Promise<Importer | AdminFault> {
    try {
      return await this.#stores.imports.start(mode)
    } catch (error) {
      const fault = startFault(error, mode)
      if (fault) return fault
      throw error
    }
  }

  async #store(importer: Importer, rows: SyncRows, replaced: string | undefined): Promise<SyncResult | AdminFault> {
    const { force, signal } = this.#request
    const imported: ImportedInput[] = []
    for (const input of rows.inputs) {
      const one = await this.#import(importer, input, rows)
      if (isAdminFault(one)) return one
      imported.push(one)
      if (one.report.stopped !== undefined)
        return { outcome: this.#outcome(imported, [], stopFault(one.report, replaced !== undefined)), notes: [] }
    }
    let removals: readonly Removal[] = []
    if (replaced !== undefined) {
      const addedOf = (kind: string) =>
        imported.filter(one => one.description?.kind === kind).reduce((sum, { report }) => sum + report.added, 0)
      const added = { location: addedOf('location'), review: addedOf('review') }
      const options = { force: force || this.#request.source.removesMissing, added, progress: () => {}, signal }
      const removed = await importer.removeMissing(options)
      removals = removed.removals
      const failure = removed.stopped && syncStopFault(removed.stopped)
      if (failure) return { outcome: this.#outcome(imported, removals, failure), notes: rows.notes() }
    }
    await rows.done()
    if (rows.position !== undefined) await this.#put({ ...this.#state, position: rows.position })
    const outcome = this.#outcome(imported, removals, undefined)
    const { added, changed, removed } = outcome.total
    if (this.#request.updateIndex) await importer.updateIndex(added + changed + removed, () => {})
    return { outcome, notes: rows.notes() }
  }

  async #import(
    importer: Importer,
    { input, kind }: SyncInput,
    { inputs, known }: SyncRows,
  ): Promise<ImportedInput | AdminFault> {
    const { name, fields, force, signal, onChange } = this.#request
    const base = `${name.replaceAll(/[^\w.-]/g, '_')}${inputs.length > 1 ? `.${kind}s` : ''}`
    const rejects = importer.openRejects(undefined, `${base}.sync.rejects.ndjson`)
    let newRejections = 0
    const firstRejections: ImportedInput['firstRejections'][number][] = []
    let description: InputDescription | undefined
    let current = emptyReport()
    const options = { kind, fields, source: name, force, signal, ...detected }
    const report = await importer.importInput(input, options, {
      described: found => {
        description = found
      },
      progress: found => {
        current = found as ImportReport
      },
      rejected: (line, row, rejection) => {
        if (line > known()) newRejections++
        if (firstRejections.length < keptRejections) firstRejections.push({ line, ...rejection })
        rejects.write({ line, ...rejection, ...(rejection.reason !== 'erased' && { row }) })
      },
      stored: async position => {
        if (current.added + current.changed + current.removed + newRejections > 0) await onChange?.(current.read)
        if (position !== undefined) await this.#put({ ...this.#state, position })
      },
    })
    const rejectsFile = await rejects.close()
    if (isAdminFault(report)) return report
    this.#reports.push(report)
    if (isAdminFault(rejectsFile)) return rejectsFile
    return { file: input.name, report, description, samples: [], rejectsFile, firstRejections }
  }

  #outcome(
    inputs: readonly ImportedInput[],
    removals: readonly Removal[],
    failure: AdminFault | undefined,
  ): ImportOutcome {
    const total = sumReports(
      inputs.map(({ report }) => report),
      removals,
    )
    return {
      inputs,
      total,
      dryRun: false,
      replacedSource: removals.length > 0 ? this.#request.name : undefined,
      removals,
      survey: undefined,
      possibleDuplicates: [],
      failure,
    }
  }

  async #put(state: SyncState): Promise<void> {
    this.#state = state
    await this.#stores.syncs.put(state)
  }
}

/** Properties of an input that are detected: a sync does not set them. */
const detected = { format: undefined, delimiter: undefined, defaultStatus: undefined, categoryMap: undefined } as const
