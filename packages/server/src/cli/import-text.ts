import { maxDeletedShare } from '../domain/feed-build.ts'
import { stringifyLongJson } from '../kit/long-json.ts'
import type { ImportResource } from '../resources/import.ts'
import type { ImportOutcome } from '../usecases/admin/import-request.ts'
import { textPairs, textTable } from './print.ts'

const counts = ['read', 'added', 'changed', 'unchanged', 'removed', 'rejected'] as const

/** Formats the result of an import as text: counts, rejections with their reasons, and removals of a full sync. */
export function importText(
  { inputs, total, removals, replacedSource, dryRun, possibleDuplicates }: ImportOutcome,
  { advice = [], unknown }: ImportResource,
): string {
  const rows = inputs.map(({ file, description, report }) => [
    file,
    `${description?.kind ?? 'location'}s`,
    ...counts.map(name => report[name]),
  ])
  return [
    textTable(['file', 'kind', ...counts], rows),
    ...countsText('Rejected by reason:', total.reasons),
    ...countsText('Imported with a note:', total.notes),
    ...inputs.flatMap(rejectionLines),
    ...inputs.flatMap(unreadLines),
    ...(unknown ? unknownLines(unknown) : []),
    ...advice,
    ...removals.map(
      ({ kind, stored, missing, removed }) =>
        `${missing} of ${stored} ${kind}s are no longer in ${replacedSource}: ${removed} ${dryRun ? 'would be ' : ''}removed.`,
    ),
    ...(possibleDuplicates.length > 0 ? [duplicatesText(possibleDuplicates)] : []),
    ...(removals.some(({ stored, missing }) => missing > stored * maxDeletedShare) ? [feedAdvice] : []),
    `${total.seconds.toFixed(1)} s, ${Math.round(total.read / Math.max(total.seconds, 0.001))} rows/s`,
    ...(dryRun ? ['This was a dry run: nothing was changed.'] : []),
  ].join('\n')
}

/** Number of pairs of sources whose duplicates are shown. */
const shownDuplicates = 5

const duplicatesText = (found: ImportOutcome['possibleDuplicates']): string =>
  [
    "Places of two sources that have one name and are close ('periplus dedupe' compares them):",
    textPairs(
      found
        .slice(0, shownDuplicates)
        .map(({ sources, class: placeClass, count: pairs }) => [`  ${placeClass}: ${sources.join(', ')}`, pairs]),
    ),
  ].join('\n')

const feedAdvice = "Feeds that lose more than 5 % of their records are published by 'periplus feeds build --force'."

const countsText = (title: string, found: Readonly<Record<string, number>>): string[] =>
  Object.keys(found).length === 0
    ? []
    : [`${title}\n${textPairs(Object.entries(found).map(([name, count]) => [`  ${name}`, count]))}`]

/** Maximum number of unused columns to show. */
const shownColumns = 50

/** Returns what the import has not read of an input, and the encoding if it is not UTF-8. */
function unreadLines({ file, description }: ImportOutcome['inputs'][number]): string[] {
  if (!description) return []
  const { encoding = 'UTF-8', skipped = 0, unused } = description
  const more = unused.length > shownColumns ? ` and ${unused.length - shownColumns} more` : ''
  return [
    ...(encoding === 'UTF-8' ? [] : [`${file} was read as ${encoding}.`]),
    ...(skipped === 0 ? [] : [`${skipped} elements of ${file} are not places and were skipped.`]),
    ...(unused.length === 0 ? [] : [`Not used in ${file}: ${unused.slice(0, shownColumns).join(', ')}${more}`]),
  ]
}

function unknownLines({ categories, statuses, countries }: NonNullable<ImportResource['unknown']>): string[] {
  const line = (title: string, values: typeof categories) =>
    values.length === 0 ? [] : [`${title}: ${values.map(({ value, count }) => `${value} (${count})`).join(', ')}`]
  return [
    ...line('Unknown categories, served as OTHER until --category-map assigns them', categories),
    ...line('Unknown statuses, whose rows were rejected', statuses),
    ...line('Unknown countries, which were dropped', countries),
  ]
}

const rejectionLines = ({ firstRejections, description, rejectsFile }: ImportOutcome['inputs'][number]): string[] => [
  ...firstRejections.map(({ line, reason, detail }) => `${description?.unit ?? 'line'} ${line}: ${reason}: ${detail}`),
  ...(rejectsFile === undefined ? [] : [`Rejected rows: ${rejectsFile}`]),
]

/** Maximum length of a sample record, in characters. */
const maxSampleChars = 500

/** An input of a dry run, after its first rows. */
type SampledInput = Pick<ImportOutcome['inputs'][number], 'file' | 'description' | 'samples'>

/**
 * Formats the properties that a dry run has detected: format and kind of a file, the column of each field, and sample
 * records.
 */
export function dryRunText({ file, description, samples }: SampledInput): string {
  if (!description) return ''
  const { format, kind, source, fields } = description
  const lines = samples.map(stringifyLongJson)
  return [
    `${file}: ${format}, ${kind}s; default source: ${source}`,
    textTable(
      ['field', 'column'],
      fields.map(({ field, from }) => [field, from]),
    ),
    'First records:',
    ...lines.map(line => `  ${line.length > maxSampleChars ? `${line.slice(0, maxSampleChars)}…` : line}`),
    '',
  ].join('\n')
}
