import {
  type AdminFault,
  type AdminFaultCode,
  type AdminFaultOf,
  type BackupDamage,
  isAdminFault,
} from '../domain/admin-fault.ts'
import type { LimitName } from '../domain/agreement.ts'
import { topLevelCategories } from '../domain/category.ts'
import type { Scope } from '../domain/scope.ts'
import { DataFolderServed, MissingDataFolder, type StoreError } from '../domain/store-errors.ts'
import { formatGigabytes } from '../kit/bytes.ts'
import { CommandError, UsageError } from './errors.ts'
import { fileErrorText } from './file-error.ts'

const failed = (text: string): Error => new CommandError(text)
const wrongUse = (text: string): Error => new UsageError(text)
const listOf = (names: readonly string[]): string => names.join(', ')
const pinnableText = (names: readonly string[]): string => `Feeds can be pinned to ${listOf(names)}.`

/** The flag or argument of each input member that a fault names. */
const flags: Readonly<Record<string, string>> = {
  name: 'The name',
  email: '--email',
  external_ref: '--external-ref',
}

/** The flag of each agreed limit. */
const limitFlags: Readonly<Record<LimitName, string>> = {
  rate: '--rate',
  burst: '--burst',
  quota: '--quota',
  searchRate: '--search-rate',
  searchBurst: '--search-burst',
  searchQuota: '--search-quota',
}

/** The rule of each restriction of a scope. */
const scopeTexts: Readonly<Record<keyof Scope, string>> = {
  countries: '--countries must be a list of two-letter country codes such as ES,FR',
  categories: `--categories must be a list of ${listOf(topLevelCategories)}`,
  sources: '--sources must be a list of names such as A,B',
}

/** The sentence and exit code of each fault; only here are faults worded with commands and flags. */
const wordings: { readonly [C in AdminFaultCode]: (fault: AdminFaultOf<C>) => Error } = {
  text_empty: ({ fields }) => wrongUse(fields.map(field => `${flags[field] ?? field} must not be empty.`).join('\n')),
  partner_unknown: ({ partner }) =>
    failed(`Partner ${partner} does not exist. Run 'periplus partners list' to see all partners.`),
  key_unknown: ({ key }) => failed(`Key ${key} does not exist. Run 'periplus keys list' to see all keys.`),
  package_required: ({ packages }) => wrongUse(`Name the package of the key with --package: ${listOf(packages)}.`),
  quota_required: ({ package: name }) =>
    wrongUse(`The package ${name} has no daily quota: add the agreed one with --quota N, or with --quota unlimited.`),
  limit_invalid: ({ limit, value, whole, max }) =>
    wrongUse(
      whole
        ? `${limitFlags[limit]} must be a whole number from 1 up, not ${value}.`
        : `${limitFlags[limit]} must be a number above 0 and up to ${max}, not ${value}.`,
    ),
  add_on_invalid: ({ addOn, addOns }) => wrongUse(`${addOn} is not an add-on. The add-ons are ${listOf(addOns)}.`),
  scope_invalid: ({ restriction, value }) => wrongUse(`${scopeTexts[restriction]}, not '${value}'.`),
  overlap_invalid: ({ overlapMs, maxMs }) =>
    wrongUse(`--overlap must be between 0s and ${maxMs / 86_400_000}d, not ${overlapMs} ms.`),
  revocation_final: ({ key }) => wrongUse(`Key ${key} is revoked, which is final. Create another key.`),
  key_revoked: ({ key }) => failed(`Key ${key} is revoked, which is final. Create another key.`),
  changed_meanwhile: ({ resource, id, expectedRevision, revision }) =>
    failed(
      `The ${resource} ${id} was changed by someone else: it has revision ${revision}, not ${expectedRevision}. ` +
        `Nothing was changed. Look at it with 'periplus ${resource}s show ${id}', then repeat the command.`,
    ),
  feed_unknown: ({ feed, feeds }) => wrongUse(`The feed ${feed} does not exist. The feeds are ${listOf(feeds)}.`),
  version_unknown: ({ version, versions }) =>
    wrongUse(`Version ${version} does not exist. The versions are ${listOf(versions)}.`),
  beta_not_pinnable: ({ pinnable }) =>
    wrongUse(`Beta changes without notice, so no feed is built in it. ${pinnableText(pinnable)}`),
  feeds_ended: ({ version, pinnable }) =>
    wrongUse(`Feeds in version ${version} have ended (feeds.endedVersions). ${pinnableText(pinnable)}`),
  version_not_pinnable: ({ version, pinnable }) =>
    wrongUse(`Version ${version} does not exist. ${pinnableText(pinnable)}`),
  feed_build_refused: ({ detail }) => failed(detail),
  period_reversed: ({ fromMs, toMs }) =>
    wrongUse(
      `--from (${new Date(fromMs).toISOString()}) must not be later than --to (${new Date(toMs).toISOString()}).`,
    ),
  time_zone_unknown: ({ timeZone }) =>
    wrongUse(`The time zone ${timeZone} does not exist. --tz must be a zone such as Europe/Madrid or UTC.`),
  month_invalid: ({ month }) => wrongUse(`'${month}' is not a month. --month must be a month such as 2026-11.`),
  review_unknown: ({ review }) => failed(`Review ${review} does not exist in this data folder.`),
  review_erased: ({ review }) => failed(`Review ${review} was erased, which is final.`),
  reviewer_invalid: ({ reviewer }) =>
    wrongUse(
      reviewer === undefined
        ? 'Name the user whose reviews to erase: --user SOURCE:ID, as in --user crm:u17.'
        : `'${reviewer}' is not a user: --user needs the source and the user_id in it, as in --user crm:u17.`,
    ),
  source_required: () => wrongUse('--replace needs --source NAME, the source whose records the files are.'),
  field_unknown: ({ field, known }) =>
    wrongUse(`The field ${field} of --map does not exist. The fields are ${listOf(known)}.`),
  field_repeated: ({ field }) => wrongUse(`--map has the field ${field} twice.`),
  import_running: () => failed('Another import is running on this data folder. Wait until it has ended.'),
  stdin_repeated: () => wrongUse('- is standard input, which can be read only once.'),
  rejects_file_invalid: ({ file, problem }) =>
    wrongUse(
      problem === 'shared'
        ? '--rejects names one file: import the files one by one with it.'
        : `--rejects needs a file, and ${file} is a folder.`,
    ),
  rejects_not_written: ({ file, errorCode }) =>
    failed(
      `The rejected rows could not be written. ${fileErrorText({ code: errorCode, path: file }) ?? `${file} cannot be written (${errorCode}).`} ` +
        'The rows stored so far remain; run the import again with --rejects FILE.',
    ),
  input_unreadable: ({ detail }) => failed(detail),
  input_unclear: fault => wrongUse(unclearText(fault)),
  too_many_rejected: ({ read, rejected, nothingRemoved }) =>
    failed(
      `The import stopped: ${rejected} of ${read} rows were rejected, more than 10 %. The rows stored so far remain. ` +
        `Check the rejected rows, or continue with --force.${removalText(nothingRemoved)}`,
    ),
  import_cancelled: ({ read, nothingRemoved }) =>
    failed(
      `The import was cancelled after ${read} rows. The rows stored so far remain; run it again to complete it.${removalText(nothingRemoved)}`,
    ),
  removal_cancelled: () => failed('The removal of missing records was cancelled; run the import again to complete it.'),
  too_many_missing: ({ source, kind, missing, stored }) =>
    failed(
      `${missing} of ${stored} ${kind}s of the source ${source} are not in the input, ${((100 * missing) / stored).toFixed(1)} %, more than 5 %. ` +
        'Nothing was removed. Check the input, or remove them with --force.',
    ),
  backup_target_in_data: ({ target, data }) =>
    failed(`${target} is inside the data folder ${data}. Specify a folder outside it, preferably on another disk.`),
  backup_target_used: ({ target }) =>
    failed(`${target} already exists, and backups never overwrite files. Specify a new folder.`),
  space_missing: ({ folder, neededBytes, freeBytes }) =>
    failed(
      `${folder} needs ${formatGigabytes(neededBytes)}, but only ${formatGigabytes(freeBytes)} are free. ` +
        'Free some disk space, or specify another folder.',
    ),
  copy_damaged: ({ problem }) =>
    failed(`The copy is damaged and was removed. Run 'periplus verify' to check the data folder. ${problem}`),
  data_folder_not_empty: ({ folder }) =>
    failed(`${folder} is not empty. Specify another folder with --data DIR, or add --force to rename it first.`),
  data_folder_in_use: ({ folder }) =>
    failed(`A service or an import is using ${folder}. Stop it first, or specify another folder with --data DIR.`),
  backup_missing: ({ backup }) =>
    failed(`The folder ${backup} does not exist. Specify a folder that 'periplus backup' created.`),
  backup_incomplete: ({ backup, manifest }) =>
    failed(`${backup} is not a complete backup: it has no ${manifest}. Specify the folder of a complete backup.`),
  backup_newer: ({ backup, schema }) =>
    failed(
      schema
        ? `${schema.store}.sqlite of the backup has schema version ${schema.found}; this release supports versions up to ` +
            `${schema.supported}. The backup was made by a newer release (${schema.release}). Use that release to restore it.`
        : `${backup} was written by a newer release. Use that release to restore it.`,
    ),
  backup_damaged: ({ file, damage }) => failed(`${damageText(file, damage)} Use another backup.`),
  disk_full: () => failed('The disk is full; the incomplete copy was removed. Free some disk space and try again.'),
  nothing_imported: ({ input }) =>
    failed(
      `Nothing of ${input === '-' ? 'standard input' : input} was imported: every row was rejected. ` +
        'See the reasons above, and what --dry-run shows.',
    ),
}

function damageText(file: string, damage: BackupDamage): string {
  switch (damage.kind) {
    case 'unreadable':
      return `${file} is damaged.`
    case 'missing':
      return `${file} is missing from the backup.`
    case 'checksum':
      return `${file} of the backup is damaged: its checksum differs from the one in backup.json.`
    case 'size':
      return `${file} of the backup has ${damage.bytes} bytes instead of ${damage.expectedBytes}.`
  }
}

const removalText = (nothingRemoved: boolean): string => (nothingRemoved ? ' Nothing was removed.' : '')

/** Adds the flags that resolve an unclear input to the description of the problem. */
function unclearText({ problem, detail, columns }: AdminFaultOf<'input_unclear'>): string {
  if (problem === 'unknown_column') return detail
  if (problem === 'missing_fields') return `${detail} Map a column with --map field=column.`
  const orColumns = columns.length > 0 ? ', or map columns with --map field=column' : ''
  return `${detail} Pass --kind locations or --kind reviews${orColumns}.`
}

/** Returns a result; throws the error that words a fault. */
export function unwrapOrThrow<T>(outcome: T | AdminFault): T {
  if (isAdminFault(outcome)) throw faultError(outcome)
  return outcome
}

/** Returns the message of a store error, with the flags that resolve it. */
export function storeErrorText(error: StoreError): string {
  if (error instanceof MissingDataFolder)
    return `${error.message} Run 'periplus import' first, or specify the folder with --data DIR.`
  if (error instanceof DataFolderServed)
    return `${error.message} Stop it, wait for it to stop with --wait SECONDS, or specify another folder with --data DIR.`
  return error.message
}

/** Returns the error that words a fault and carries its exit code. */
export function faultError<C extends AdminFaultCode>(fault: AdminFaultOf<C>): Error {
  const wording = wordings[fault.fault as C] as (fault: AdminFaultOf<C>) => Error
  return wording(fault)
}
