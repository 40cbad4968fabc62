import type { AdminFaultCode, AdminFaultOf } from '../domain/admin-fault.ts'
import { CommandError, UsageError } from './errors.ts'
import { fileErrorText } from './file-error.ts'

const commandError = (text: string): Error => new CommandError(text)
const usageError = (text: string): Error => new UsageError(text)

/** The message and exit code of each fault of imports. */
export const importFaultErrors = {
  source_required: () => usageError('--replace requires --source NAME: the source that the files contain in full.'),
  field_unknown: ({ field, known }) =>
    usageError(`The field ${field} in --map does not exist. The fields are ${known.join(', ')}.`),
  field_repeated: ({ field }) => usageError(`--map assigns the field ${field} more than once.`),
  import_running: () => commandError('Another import is running on this data folder. Wait until it finishes.'),
  sync_failed: ({ detail }) => commandError(detail),
  stdin_repeated: () => usageError('- (standard input) can be given only once.'),
  rejects_file_invalid: ({ file, problem }) =>
    usageError(
      problem === 'shared'
        ? '--rejects accepts one input file at a time. Import the files separately.'
        : `--rejects must be a file, but ${file} is a folder.`,
    ),
  category_map_invalid: ({ file, problems }) =>
    usageError(
      `${file === undefined ? '--category' : `The category map ${file}`} cannot be used:\n` +
        `${problems.map(text => `  ${text}`).join('\n')}\n` +
        (file === undefined
          ? 'It is a word and a category, such as --category izakaya=restaurant.'
          : 'It is JSON such as {"izakaya": "restaurant"}, or CSV with a word and a category in each line.'),
    ),
  rejects_not_written: ({ file, errorCode }) =>
    commandError(
      `The rejected rows could not be written. ${fileErrorText({ code: errorCode, path: file }) ?? `${file} cannot be written (${errorCode}).`} ` +
        'The rows stored so far remain; run the import again with --rejects FILE.',
    ),
  input_unreadable: ({ detail }) => commandError(detail),
  input_unclear: fault => usageError(unclearText(fault)),
  too_many_rejected: ({ read, rejected, nothingRemoved }) =>
    commandError(
      `The import stopped: ${rejected} of ${read} rows were rejected, more than 10 %. The rows stored so far remain. ` +
        `Check the rejected rows, or repeat the import with --force to ignore this limit.${removalText(nothingRemoved)}`,
    ),
  import_cancelled: ({ read, nothingRemoved }) =>
    commandError(
      `The import was cancelled after ${read} rows. The rows stored so far remain. Run the import again to complete it.${removalText(nothingRemoved)}`,
    ),
  removal_cancelled: () =>
    commandError('The removal of missing records was cancelled. Run the import again to complete it.'),
  too_many_missing: ({ source, kind, missing, stored }) =>
    commandError(
      `${missing} of ${stored} ${kind}s of the source ${source} (${((100 * missing) / stored).toFixed(1)} %) are not in the input, more than 5 %. ` +
        'Nothing was removed. Check the input, or remove them with --force.',
    ),
  nothing_imported: ({ input }) =>
    commandError(
      `No rows of ${input === '-' ? 'standard input' : input} were imported: all were rejected. ` +
        'See the reasons above, and inspect the input with --dry-run.',
    ),
} satisfies { readonly [C in AdminFaultCode]?: (fault: AdminFaultOf<C>) => Error }

const removalText = (nothingRemoved: boolean): string => (nothingRemoved ? ' Nothing was removed.' : '')

/** Adds the flags that resolve an unclear input to the description of the problem. */
function unclearText({ problem, detail, columns }: AdminFaultOf<'input_unclear'>): string {
  if (problem === 'unknown_column') return detail
  if (problem === 'missing_fields') return `${detail} Map a column with --map field=column.`
  const orColumns = columns.length > 0 ? ', or map columns with --map field=column' : ''
  return `${detail} Pass --kind locations or --kind reviews${orColumns}.`
}
