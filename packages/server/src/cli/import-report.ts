import { emptyReport, type Report } from '../ingest/report.ts'
import type { Removal } from '../ingest/sync.ts'
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
  imported.map(({ understanding, samples }, i) => ({
    file: files[i],
    ...(understanding && {
      format: understanding.format,
      kind: `${understanding.kind}s`,
      source: understanding.source,
      mapping: understanding.fields.map(({ field, from }) => ({ field, column: from })),
      unused_columns: understanding.unused,
    }),
    sample: samples,
  }))

const shownChars = 500

/** The same for a person: what each file is, which field is made of which column, and the first records. */
export function humanDryRun(files: readonly string[], { imported }: Outcome): string {
  return imported
    .map(({ understanding, samples }, i) => {
      if (!understanding) return ''
      const { format, kind, source, fields, unused } = understanding
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
