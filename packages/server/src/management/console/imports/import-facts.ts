import type { CategoryAssignment } from '../../../domain/category-map.ts'
import { importFormats } from '../../../domain/import.ts'
import type { Job } from '../../../domain/job.ts'
import type { UploadedImport } from '../../../domain/job-process.ts'
import type { ImportResource } from '../../../resources/import.ts'
import { type Html, html } from '../../../web/html.ts'
import { shareBar } from '../../../web/parts/meter.ts'
import { formatBytes, formatNumber } from '../../../web/parts/number.ts'

/** The requested import, as its job records it. */
export interface RecordedImportRequest {
  readonly files: readonly string[]
  readonly bytes?: number
  readonly kind?: string
  readonly format?: string
  readonly source?: string
  readonly mapping?: readonly { readonly field: string; readonly column: string }[]
  readonly categories?: readonly CategoryAssignment[]
  readonly replace?: boolean
  readonly force?: boolean
  readonly dry_run?: boolean
}

/** Returns the request of the job of an import. */
export const requestOf = ({ request }: Job): RecordedImportRequest => request as unknown as RecordedImportRequest

/** Returns the counts of an import that has ended. */
export const resultOf = ({ result }: Job): ImportResource | undefined => result as unknown as ImportResource | undefined

/** Returns true until a job ends. */
export const isUnfinished = ({ state }: Job): boolean => state === 'waiting' || state === 'running'

/** Returns the name of the input: files of a terminal have names, an upload has none. */
export const inputName = (job: Job): string => {
  const { files } = requestOf(job)
  return files.length === 1 && files[0] === 'upload' ? 'Upload' : files.join(', ')
}

/** Returns how far an import has come, as a bar with a text. */
export function progressBar({ progress, state }: Job): Html | undefined {
  if (state !== 'running' || !progress) return undefined
  const { done, total, unit, phase, rows } = progress
  if (phase === 'queue') return html`<div class="progress"><p>Waiting for another import to end</p></div>`
  const figure = (value: number) => (unit === 'bytes' ? formatBytes(value) : formatNumber(value))
  const phases: Readonly<Record<string, string>> = {
    input: 'Reading the input',
    removal: 'Removing records that the input does not have',
    index: 'Building the search index',
  }
  const share = total ? Math.min(1, done / total) : 0
  const text = [
    `${phases[phase] ?? phase}: ${figure(done)}`,
    total !== undefined && ` of ${figure(total)}`,
    rows !== undefined && `, ${formatNumber(rows)} rows`,
  ]
  return html`<div class="progress"><p>${text}</p>
${total !== undefined && shareBar(share, 'info')}</div>`
}

/** Returns the options with which an import was started. */
export function optionsOfJob(job: Job): UploadedImport {
  const request = requestOf(job)
  const { files, kind, format, source, mapping = [], categories, replace = false, force = false } = request
  return {
    fileName: files[0],
    kind: kind === 'locations' ? 'location' : kind === 'reviews' ? 'review' : undefined,
    format: importFormats.find(name => name === format),
    source,
    ...(mapping.length > 0 && { fields: mapping.map(({ field, column }) => ({ field, from: column })) }),
    ...(categories && { categories }),
    replace,
    force,
    dryRun: request.dry_run === true,
  }
}
