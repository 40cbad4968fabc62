import { basename, resolve } from 'node:path'
import type { JobRecorder } from '../compose/job-recorder.ts'
import type { AdminFault } from '../domain/admin-fault.ts'
import type { JobEnd, JobProgress } from '../domain/job.ts'
import type { JsonObject } from '../kit/json.ts'
import { toJsonObject } from '../kit/to-json.ts'
import { importResource } from '../resources/import.ts'
import type { ImportEvent, ImportedInput, ImportOutcome } from '../usecases/admin/import-request.ts'
import type { ImportFlags } from './import-flags.ts'

/** Records the events of an import with its job. */
export interface ImportRecord {
  begin(): void
  onEvent(event: ImportEvent): void
  /** Resolves when the beginning is recorded; throws if it could not be. */
  settled(): Promise<void>
}

/** Creates the record of an import. */
export function createImportRecord(job: JobRecorder): ImportRecord {
  let begun: Promise<void> | undefined
  let input: { readonly name: string; readonly totalBytes: number | undefined } | undefined
  return {
    begin: () => {
      begun ??= job.begin()
      // `settled` reports the error.
      begun.catch(() => {})
    },
    onEvent: event => {
      if (event.phase === 'input' && event.step === 'start') input = { ...event, name: basename(event.name) }
      const progress = progressOf(event, input)
      if (progress) job.report(progress)
    },
    settled: async () => begun,
  }
}

function progressOf(
  event: ImportEvent,
  input: { readonly name: string; readonly totalBytes: number | undefined } | undefined,
): JobProgress | undefined {
  if (event.phase === 'queue') return { phase: 'queue', unit: 'rows', done: 0 }
  if (event.step !== 'progress') return undefined
  const { phase, rows } = event
  if (phase === 'removal') return { phase: 'removal', unit: 'rows', done: rows }
  if (phase === 'index') return { phase: 'index', unit: 'rows', done: rows, total: event.totalRows }
  const { name = '-', totalBytes } = input ?? {}
  return {
    phase: 'input',
    part: name,
    unit: 'bytes',
    done: event.bytes,
    rows,
    ...(totalBytes !== undefined && { total: totalBytes }),
  }
}

/** Describes the requested import, with names of files but without their folders. */
export const describeRequest = (files: readonly string[], flags: ImportFlags): JsonObject =>
  toJsonObject({
    files: files.map(file => basename(file)),
    kind: flags.kind,
    format: flags.format,
    source: flags.source,
    category_map: flags.categoryMap && basename(flags.categoryMap),
    categories: flags.category,
    mapping: flags.map?.map(({ field, from }) => ({ field, column: from })),
    replace: flags.replace === true,
    force: flags.force === true,
    dry_run: flags.dryRun === true,
  })

/** Describes the result of an import for its job. */
export const describeOutcome = (outcome: ImportOutcome): Pick<JobEnd, 'result' | 'failure' | 'rejects' | 'survey'> => ({
  result: toJsonObject(importResource({ ...outcome, inputs: outcome.inputs.map(withoutPath) })),
  ...(outcome.failure && { failure: withoutFolder(outcome.failure) }),
  ...(outcome.survey && { survey: outcome.survey }),
  rejects: outcome.inputs.flatMap(({ file, rejectsFile, report }) =>
    rejectsFile === undefined ? [] : [{ input: basename(file), file: resolve(rejectsFile), rows: report.rejected }],
  ),
})

const withoutPath = (input: ImportedInput): ImportedInput => ({ ...input, file: basename(input.file) })

const withoutFolder = (failure: AdminFault): AdminFault =>
  failure.fault === 'nothing_imported' ? { ...failure, input: basename(failure.input) } : failure
