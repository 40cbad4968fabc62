import { type AdminFault, type AdminFaultCode, type AdminFaultOf, isAdminFault } from '../domain/admin-fault.ts'
import type { LimitName } from '../domain/agreement.ts'
import { topLevelCategories } from '../domain/category.ts'
import { billingFailureText } from '../domain/exported-usage.ts'
import { signingKeyText } from '../domain/feed.ts'
import { feedSpaceText } from '../domain/feed-build.ts'
import type { Scope } from '../domain/scope.ts'
import { MissingDataFolder, NewerSchema, UnusableDataFolder } from '../domain/store-errors.ts'
import { textProblemText } from '../domain/text-bounds.ts'
import { CommandError, UsageError } from './errors.ts'
import { backupFaultErrors } from './fault-text-backups.ts'
import { importFaultErrors } from './fault-text-imports.ts'
import { jobFaultErrors } from './fault-text-jobs.ts'
import { partnerFaultErrors } from './fault-text-partners.ts'
import { placeFaultErrors } from './fault-text-places.ts'
import { suggestionFaultErrors } from './fault-text-suggestions.ts'
import { webhookFaultErrors } from './fault-text-webhooks.ts'
import { storeErrorText } from './store-error-text.ts'

const commandError = (text: string): Error => new CommandError(text)
const usageError = (text: string): Error => new UsageError(text)
const joinNames = (names: readonly string[]): string => names.join(', ')
const pinnableText = (names: readonly string[]): string => `Feeds can be pinned to ${joinNames(names)}.`

/** The flag or argument of each input member that a fault names. */
const fieldLabels: Readonly<Record<string, string>> = {
  name: 'The name',
  email: '--email',
  external_ref: '--external-ref',
  notes: '--notes',
  text: 'The text',
  url: 'The URL',
  reason: '--reason',
  answer: '--answer',
  source: '--source',
  add_ons: '--add-on',
  'scope.countries': '--countries',
  'scope.categories': '--categories',
  'scope.sources': '--sources',
}

/** The flag of each agreed limit. */
const limitFlags: Readonly<Record<LimitName, string>> = {
  rate: '--rate',
  burst: '--burst',
  quota: '--quota',
  searchRate: '--search-rate',
  searchBurst: '--search-burst',
  searchQuota: '--search-quota',
  autocompleteRate: '--autocomplete-rate',
  autocompleteBurst: '--autocomplete-burst',
}

/** The rule of each restriction of a scope. */
const scopeTexts: Readonly<Record<keyof Scope, string>> = {
  countries: '--countries must be a list of two-letter country codes such as ES,FR',
  categories: `--categories must be a list of ${joinNames(topLevelCategories)}`,
  sources: '--sources must be a list of names such as A,B',
}

/** Returns a time in ISO 8601, or the number if it is outside the range of dates. */
const endText = (ms: number): string => (Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : String(ms))

/** The message and exit code of each fault, with the commands and flags that resolve it. */
const faultErrors: { readonly [C in AdminFaultCode]: (fault: AdminFaultOf<C>) => Error } = {
  ...jobFaultErrors,
  ...importFaultErrors,
  ...backupFaultErrors,
  ...webhookFaultErrors,
  ...partnerFaultErrors,
  ...placeFaultErrors,
  ...suggestionFaultErrors,
  text_empty: ({ fields }) =>
    usageError(fields.map(field => `${fieldLabels[field] ?? field} must not be empty.`).join('\n')),
  text_invalid: ({ fields, problem, max }) =>
    usageError(fields.map(field => `${fieldLabels[field] ?? field} ${textProblemText(problem, max)}`).join('\n')),
  partner_unknown: ({ partner }) =>
    commandError(`Partner ${partner} does not exist. Run 'periplus partners list' to see all partners.`),
  key_unknown: ({ key }) => commandError(`Key ${key} does not exist. Run 'periplus keys list' to see all keys.`),
  not_permitted: ({ permission }) => commandError(`This requires the permission ${permission}.`),
  user_unknown: ({ user }) => commandError(`User ${user} does not exist. Run 'periplus users list' to see all users.`),
  user_exists: ({ user }) =>
    commandError(`A user with this e-mail address exists: ${user}. Change it with 'periplus users set ${user}'.`),
  email_invalid: ({ email }) => usageError(`'${email}' is not an e-mail address.`),
  role_invalid: ({ role, roles }) =>
    usageError(`The role ${role} does not exist here. With --partner: admin, member; otherwise: ${joinNames(roles)}.`),
  role_conflict: ({ user }) =>
    commandError(`${user} is staff or a user of partners; nobody is both. Use another e-mail address.`),
  last_owner: ({ user }) =>
    commandError(`${user} is the last active owner. Make another user an owner first with 'periplus users set'.`),
  last_admin: ({ user }) =>
    commandError(`${user} is the last admin of the partner. Make another user an admin, or invite one, first.`),
  password_invalid: ({ problem, min, max }) =>
    usageError(
      problem === 'is_email'
        ? 'The password must not be the e-mail address.'
        : `The password must have ${min} to ${max} characters.`,
    ),
  link_ended: ({ reason }) => commandError(`The link is ${reason}. Create another one with 'periplus users link'.`),
  sign_in_refused: () => commandError('The sign-in was refused.'),
  sign_in_slowed: ({ waitMs }) => commandError(`Wait ${Math.ceil(waitMs / 1000)} s before the next attempt.`),
  provider_unavailable: () => commandError('The OpenID Connect provider does not answer. Try again later.'),
  sign_in_ended: () => commandError('This sign-in has ended. Begin again.'),
  session_unknown: ({ session }) =>
    commandError(`Session ${session} does not exist. Run 'periplus sessions list' to see all sessions.`),
  proof_required: () => commandError('Prove again that this is your session.'),
  token_unknown: ({ token }) =>
    commandError(`Token ${token} does not exist. Run 'periplus tokens list' to see all tokens.`),
  token_refused: ({ reason }) => commandError(`The admin token is ${reason}.`),
  permissions_required: ({ permissions }) =>
    usageError(`Specify what the token may do with --permission NAME…. Permissions: ${joinNames(permissions)}.`),
  permission_invalid: ({ permission, permissions }) =>
    usageError(`${permission} is not a permission of tokens. Permissions: ${joinNames(permissions)}.`),
  token_end_invalid: ({ expiresMs, maxMs }) =>
    usageError(
      `--expires must be in the future and not after ${new Date(maxMs).toISOString()}, not ${new Date(expiresMs).toISOString()}.`,
    ),
  secret_unknown: ({ key, secret }) =>
    commandError(`Key ${key} has no secret ${secret}. Run 'periplus keys show ${key}' to see its secrets.`),
  package_required: ({ packages }) =>
    usageError(`Specify the package with --package. Packages: ${joinNames(packages)}.`),
  quota_required: ({ package: name }) =>
    usageError(`The package ${name} has no daily quota. Specify the agreed quota with --quota N or --quota unlimited.`),
  limit_invalid: ({ limit, value, whole, max }) =>
    usageError(
      whole
        ? `${limitFlags[limit]} must be an integer of at least 1, not ${value}.`
        : `${limitFlags[limit]} must be a number greater than 0 and at most ${max}, not ${value}.`,
    ),
  add_on_invalid: ({ addOn, addOns }) => usageError(`${addOn} is not an add-on. The add-ons are ${joinNames(addOns)}.`),
  scope_invalid: ({ restriction, value }) => usageError(`${scopeTexts[restriction]}, not '${value}'.`),
  values_too_many: ({ fields, max }) =>
    usageError(fields.map(field => `${fieldLabels[field] ?? field} must have at most ${max} values.`).join('\n')),
  source_invalid: ({ fields, problem, max }) =>
    usageError(
      `Names of sources in ${fields.map(field => fieldLabels[field]).join()} ${textProblemText(problem, max)}`,
    ),
  overlap_invalid: ({ overlapMs, maxMs }) =>
    usageError(`--overlap must be between 0s and ${maxMs / 86_400_000}d, not ${overlapMs} ms.`),
  network_invalid: ({ network }) =>
    usageError(
      `${network} is not a network. Specify --network as a network such as 203.0.113.0/24 or 2001:db8::/32, or as one address.`,
    ),
  networks_too_many: ({ max }) => usageError(`A key can have at most ${max} networks. Combine them into larger ones.`),
  end_invalid: ({ expiresMs }) =>
    usageError(
      `--expires must be in the future, not ${endText(expiresMs)}. To stop a key now, use 'periplus keys disable ID'.`,
    ),
  revocation_final: ({ key }) => usageError(`Key ${key} is revoked, which is final. Create another key.`),
  key_revoked: ({ key }) => commandError(`Key ${key} is revoked, which is final. Create another key.`),
  changed_meanwhile: ({ resource, id, expectedRevision, revision }) =>
    commandError(
      `The ${resource} ${id} was changed by someone else: it has revision ${revision}, not ${expectedRevision}. ` +
        `Nothing was changed. Inspect it with 'periplus ${resource}s show ${id}', then repeat the command.`,
    ),
  feed_unknown: ({ feed, feeds }) => usageError(`The feed ${feed} does not exist. The feeds are ${joinNames(feeds)}.`),
  version_unknown: ({ version, versions }) =>
    usageError(`Version ${version} does not exist. The versions are ${joinNames(versions)}.`),
  beta_not_pinnable: ({ pinnable }) =>
    usageError(`Feeds are not built in beta, because it changes without notice. ${pinnableText(pinnable)}`),
  feeds_ended: ({ version, pinnable }) =>
    usageError(`Feeds in version ${version} have ended (feeds.endedVersions). ${pinnableText(pinnable)}`),
  version_not_pinnable: ({ version, pinnable }) =>
    usageError(`Version ${version} does not exist. ${pinnableText(pinnable)}`),
  feed_build_running: () =>
    commandError('Another feed build is running on this data folder. Try again when it has ended.'),
  feed_space_missing: facts => commandError(feedSpaceText(facts)),
  signing_key_unusable: ({ file, problem }) =>
    commandError(
      `${signingKeyText(file, problem)} Nothing was built. Restore the key from a backup; or sign with a new one ` +
        "by 'periplus feeds build --full --force', and give partners its public key.",
    ),
  data_folder_missing: ({ folder }) => commandError(storeErrorText(new MissingDataFolder(folder))),
  data_folder_unusable: ({ folder, defects }) => commandError(storeErrorText(new UnusableDataFolder(folder, defects))),
  schema_newer: ({ store, found, known }) => commandError(storeErrorText(new NewerSchema(store, found, known))),
  request_unknown: ({ request }) =>
    commandError(
      `The request ${request} is not in the request log. The log has the calls with a valid key of the last days (setting requests.keepDays); a call appears in it about a second after its response.`,
    ),
  cursor_invalid: () => usageError('The cursor is not valid. Use the cursor of the previous page.'),
  period_reversed: ({ fromMs, toMs }) =>
    usageError(
      `--from (${new Date(fromMs).toISOString()}) must not be later than --to (${new Date(toMs).toISOString()}).`,
    ),
  time_zone_unknown: ({ timeZone }) =>
    usageError(`The time zone ${timeZone} does not exist. --tz must be a zone such as Europe/Madrid or UTC.`),
  month_invalid: ({ month }) => usageError(`'${month}' is not a month. --month must be a month such as 2026-11.`),
  billing_system_missing: () =>
    usageError('No billing system is configured. Set usage.export.url to the URL that receives CloudEvents.'),
  billing_system_failed: ({ url, failure, sent }) =>
    commandError(
      `${billingFailureText(url, failure)} ${sent} events were accepted; run the command again to send the others.`,
    ),
  photo_unknown: ({ photo }) =>
    commandError(`Photo ${photo} does not exist. Run 'periplus photos list --location ID' to see those of a location.`),
  review_unknown: ({ review }) => commandError(`Review ${review} does not exist in this data folder.`),
  review_erased: ({ review }) => commandError(`Review ${review} was erased, which is final.`),
  reviewer_invalid: ({ reviewer }) =>
    usageError(
      reviewer === undefined
        ? 'Specify the user whose reviews to erase with --user SOURCE:ID, as in --user crm:u17.'
        : `'${reviewer}' is not a valid user. --user requires the source and the user_id, as in --user crm:u17.`,
    ),
}

/** Returns a result; throws the error of a fault. */
export function unwrapOrThrow<T>(outcome: T | AdminFault): T {
  if (isAdminFault(outcome)) throw faultError(outcome)
  return outcome
}

/** Returns the error of a fault, with its message and exit code. */
export function faultError<C extends AdminFaultCode>(fault: AdminFaultOf<C>): Error {
  const createError = faultErrors[fault.fault as C] as (fault: AdminFaultOf<C>) => Error
  return createError(fault)
}
