import type { UnclearInput } from '../ingest/mapping/mapping.ts'
import { emptyReport, type Report } from '../ingest/report.ts'
import type { Removal, SyncStop } from '../ingest/sync.ts'
import { stringifyLongJson } from '../kit/long-json.ts'
import type { Outcome } from './import.ts'
import type { ImportFlags } from './import-flags.ts'
import { textPairs, textTable } from './print.ts'

const counts = ['read', 'added', 'changed', 'unchanged', 'removed', 'rejected'] as const

/** The reports of all files as one; `removed` counts what a full sync removed as well. */
export function sumOf({ imported, removals }: Outcome): Report {
  const total = emptyReport()
  for (const { report } of imported) {
    for (const name of counts) total[name] += report[name]
    total.seconds += report.seconds
    for (const part of ['reasons', 'notes'] as const) {
      for (const [name, count] of Object.entries(report[part])) total[part][name] = (total[part][name] ?? 0) + count
    }
  }
  for (const { removed } of removals) total.removed += removed
  return total
}

/** For a person: a table, what was rejected and why, what a full sync removed. */
export function humanReport(
  files: readonly string[],
  { imported, removals }: Outcome,
  total: Report,
  advice: readonly string[],
  flags: ImportFlags,
): string {
  const rows = imported.map(({ kind, report }, i) => [files[i], `${kind}s`, ...counts.map(name => report[name])])
  const parts = [textTable(['file', 'kind', ...counts], rows)]
  const breakdown = (title: string, map: Readonly<Record<string, number>>) => {
    if (Object.keys(map).length > 0)
      parts.push(`${title}\n${textPairs(Object.entries(map).map(([name, count]) => [`  ${name}`, count]))}`)
  }
  breakdown('Rejected by reason:', total.reasons)
  breakdown('Taken with a note:', total.notes)
  for (const { rejectsFile, firstRejections, unit } of imported) {
    for (const { line, reason, detail } of firstRejections) parts.push(`${unit} ${line}: ${reason}: ${detail}`)
    if (rejectsFile !== undefined) parts.push(`Rejected rows: ${rejectsFile}`)
  }
  parts.push(...advice)
  parts.push(...removals.map(removal => removalSentence(removal, flags)))
  parts.push(`${total.seconds.toFixed(1)} s, ${Math.round(total.read / Math.max(total.seconds, 0.001))} rows/s`)
  if (flags.dryRun) parts.push('This was a dry run: nothing was changed.')
  return parts.join('\n')
}

const removalSentence = ({ kind, stored, gone, removed }: Removal, { source, dryRun }: ImportFlags): string =>
  `${source} no longer has ${gone} of its ${stored} ${kind}s; removed${dryRun ? ' if this were no dry run' : ''}: ${removed}.`

/** What a dry run found the files to be, for `--json`. */
export const dryRunJson = (files: readonly string[], { imported }: Outcome): object[] =>
  imported.map(({ description, samples }, i) => ({
    file: files[i],
    ...(description && {
      format: description.format,
      kind: `${description.kind}s`,
      source: description.source,
      mapping: description.fields.map(({ field, from }) => ({ field, column: from })),
      unused_columns: description.unused,
    }),
    sample: samples,
  }))

const shownChars = 500

/** The same for a person: what each file is, which field is made of which column, and the first records. */
export function humanDryRun(files: readonly string[], { imported }: Outcome): string {
  return imported
    .map(({ description, samples }, i) => {
      if (!description) return ''
      const { format, kind, source, fields, unused } = description
      const lines = samples.map(stringifyLongJson)
      return [
        `${files[i]}: ${format}, ${kind}s of the source ${source} where a record names none`,
        textTable(
          ['field', 'made of'],
          fields.map(({ field, from }) => [field, from]),
        ),
        ...(unused.length > 0 ? [`Not used: ${unused.join(', ')}`] : []),
        'As they would be stored:',
        ...lines.map(line => `  ${line.length > shownChars ? `${line.slice(0, shownChars)}…` : line}`),
        '',
      ].join('\n')
    })
    .join('\n')
}

/** Explains why an import ended before its input did. */
export const stopSentence = ({ stopped, read, rejected }: Report): string =>
  stopped === 'cancelled'
    ? `The import was cancelled after ${read} rows. The rows stored so far remain; run it again to complete it.`
    : `The import stopped: ${rejected} of ${read} rows were rejected, more than 10 %. The rows stored so far remain. Check the rejected rows, or continue with --force.`

/** Explains why a full sync left missing records in the store. */
export function syncStopSentence(stop: SyncStop): string {
  if (stop.reason === 'cancelled')
    return 'The removal of missing records was cancelled; run the import again to complete it.'
  const { kind, gone, stored } = stop.removal
  const share = ((100 * gone) / stored).toFixed(1)
  return `${gone} of ${stored} ${kind}s of the source ${stop.source} are not in the input, ${share} %, more than 5 %. Nothing was removed. Check the input, or remove them with --force.`
}

/** Adds the flags that resolve an unclear input to its message. */
export function unclearSentence({ code, message, columns }: UnclearInput): string {
  if (code === 'unknown_column') return message
  if (code === 'missing_fields') return `${message} Map a column with --map field=column.`
  const orColumns = columns.length > 0 ? ', or map columns with --map field=column' : ''
  return `${message} Pass --kind locations or --kind reviews${orColumns}.`
}
