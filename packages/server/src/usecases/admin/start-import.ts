import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { ImportFields } from '../../domain/importer.ts'
import type { Job } from '../../domain/job.ts'
import type { UploadedImport } from '../../domain/job-process.ts'
import { toJsonObject } from '../../kit/to-json.ts'
import { checkCategories } from './check-categories.ts'
import { checkSource } from './check-texts.ts'
import { newJobId } from './new-job-id.ts'
import { type JobStarting, startJob } from './start-job.ts'

/** An import whose input arrives with the request. */
export interface ImportToStart {
  readonly import: UploadedImport
  readonly input: AsyncIterable<Uint8Array>
  readonly maxBytes: number
  /** True to keep the input of a dry run for the import that follows it. Default: false. */
  readonly keepsInput?: boolean
}

/** Receives the input of an import and starts it in a process of its own. */
export async function startImport(
  stores: JobStarting & { readonly fields: ImportFields },
  actor: Actor,
  { import: options, input, maxBytes, keepsInput = false }: ImportToStart,
): Promise<Job | AdminFault> {
  const fault = checkImport(stores.fields, options)
  if (fault) return fault
  const id = newJobId()
  const bytes = await stores.processes.receive(id, input, maxBytes)
  if (typeof bytes !== 'number') return bytes
  if (keepsInput && options.dryRun) await stores.processes.keep(id)
  const job = await startJob(stores, actor, {
    id,
    work: { kind: 'import', import: options },
    request: describeImport(options, bytes),
  })
  if (isAdminFault(job)) await stores.processes.discard(id)
  return job
}

function checkImport({ fields, isField }: ImportFields, options: UploadedImport): AdminFault | undefined {
  if (options.replace && options.source === undefined) return adminFault('source_required', ['source'], {})
  const invalid = options.source === undefined ? undefined : checkSource(options.source, 'source')
  if (invalid) return invalid
  const mapped = options.fields ?? []
  const unknown = mapped.find(({ field }) => !isField(field))
  if (unknown) return adminFault('field_unknown', ['fields'], { field: unknown.field, known: fields })
  const repeated = mapped.find(({ field }, i) => mapped.findIndex(one => one.field === field) !== i)
  if (repeated) return adminFault('field_repeated', ['fields'], { field: repeated.field })
  return checkCategories(options.categories)
}

/** Returns the request that the job of an import records. */
export const describeImport = (
  { fileName = 'upload', kind, format, source, fields, categories, replace, force, dryRun }: UploadedImport,
  bytes: number,
) =>
  toJsonObject({
    files: [fileName],
    bytes,
    kind: kind && `${kind}s`,
    format,
    source,
    mapping: fields?.map(({ field, from }) => ({ field, column: from })),
    categories,
    replace,
    force,
    dry_run: dryRun,
  })
