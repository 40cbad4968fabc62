import type { AdminFault, AdminFaultCode, AdminFaultOf } from '../domain/admin-fault.ts'
import { topLevelCategories } from '../domain/category.ts'
import type { Scope } from '../domain/scope.ts'
import { textProblemText } from '../domain/text-bounds.ts'
import type { UrlProblem } from '../domain/webhook.ts'
import { ownKeyWordings, type Wording } from './own-key-wordings.ts'
import { type Problem, problem } from './problem.ts'

/** Faults of tasks that run as commands only. The admin API starts them as jobs, whose result has the message. */
type CommandFault =
  | 'backup_target_in_data'
  | 'backup_target_used'
  | 'copy_damaged'
  | 'data_folder_not_empty'
  | 'data_folder_in_use'
  | 'backup_missing'
  | 'backup_incomplete'
  | 'backup_newer'
  | 'backup_damaged'
  | 'stdin_repeated'
  | 'rejects_file_invalid'
  | 'rejects_not_written'
  | 'nothing_imported'
  | 'removal_cancelled'
  | 'data_folder_missing'
  | 'data_folder_unusable'
  | 'schema_newer'
  | 'billing_system_missing'
  | 'billing_system_failed'
  | 'job_not_waiting'
  | 'job_cancelled'
  | 'job_process_ended'
  | 'job_failed'

/** Faults that the admin API returns. */
export type ApiFaultCode = Exclude<AdminFaultCode, CommandFault>

const join = (names: readonly string[]): string => names.join(', ')
const invalid = (text: string): Wording => [400, text]
const unknown = (what: string, id: string): Wording => [404, `${what} ${id} does not exist.`]
const conflict = (text: string): Wording => [409, text]
const pinnableText = (names: readonly string[]): string => `Feeds can be pinned to ${join(names)}.`

const scopeTexts: Readonly<Record<keyof Scope, string>> = {
  countries: 'scope.countries must be a list of two-letter country codes such as ES',
  categories: `scope.categories must be a list of ${join(topLevelCategories)}`,
  sources: 'scope.sources must be a list of names',
}

const urlProblemTexts: Readonly<Record<UrlProblem, string>> = {
  not_a_url: 'url must be a URL such as https://partner.example/webhooks.',
  not_https: 'url must use https.',
  has_credentials: 'url must not contain a user name or password.',
  private_address: 'url is a private address.',
}

/** The status and message of each fault, in the names of the admin API. */
const wordings: { readonly [C in ApiFaultCode]: (fault: AdminFaultOf<C>) => Wording } = {
  text_empty: ({ fields }) => invalid(`${join(fields)} must not be empty.`),
  text_invalid: ({ fields, problem: what, max }) => invalid(`${join(fields)} ${textProblemText(what, max)}`),
  partner_unknown: ({ partner }) => unknown('Partner', partner),
  key_unknown: ({ key }) => unknown('Key', key),
  pin_undo_unavailable: ({ feed, reason }) =>
    conflict(
      reason === 'never_moved' ? `The pin of ${feed} was never moved.` : `The pin of ${feed} moved over 72 hours ago.`,
    ),
  upgrade_unknown: ({ upgrade }) => unknown('Upgrade request', upgrade),
  upgrade_open: ({ kind, subject }) => conflict(`${subject} already has an open request of the kind ${kind}.`),
  upgrade_decided: ({ upgrade, state }) => conflict(`Upgrade request ${upgrade} is already ${state}.`),
  upgrade_incomplete: ({ kind, fields }) => invalid(`A request of the kind ${kind} requires ${join(fields)}.`),
  upgrade_pointless: ({ key, test }) =>
    conflict(test ? `Key ${key} is a test key, whose terms are fixed.` : `Key ${key} already has what is requested.`),
  suggestion_unknown: ({ suggestion }) => unknown('Suggestion', suggestion),
  suggestion_decided: ({ suggestion, state }) => conflict(`Suggestion ${suggestion} is already ${state}.`),
  suggestion_incomplete: ({ fields }) =>
    invalid(`${join(fields)} must be the id of a place, or the address of its page.`),
  suggestion_unchanged: () => invalid('The place already has these values. Change at least one of them.'),
  suggestion_open: () =>
    conflict('You have already suggested a change of this kind for this place. The operator will decide on it.'),
  suggestions_too_many: ({ max }) =>
    conflict(`You have ${max} open suggestions, the maximum. Suggest more once the operator has decided on some.`),
  partner_closed: ({ partner }) => conflict(`Partner ${partner} is closed.`),
  live_keys_invalid: ({ value, max }) => invalid(`live_keys_max must be an integer from 0 to ${max}, not ${value}.`),
  ...ownKeyWordings,
  secret_unknown: ({ secret }) => unknown('Secret', secret),
  package_required: ({ packages }) => invalid(`Specify the package. Packages: ${join(packages)}.`),
  quota_required: ({ package: name }) =>
    invalid(`The package ${name} has no daily quota. Specify agreement.quota: a number or "unlimited".`),
  limit_invalid: ({ limit, value, whole, max }) =>
    invalid(
      whole
        ? `agreement.${toSnake(limit)} must be an integer of at least 1, not ${value}.`
        : `agreement.${toSnake(limit)} must be a number greater than 0 and at most ${max}, not ${value}.`,
    ),
  add_on_invalid: ({ addOn, addOns }) => invalid(`${addOn} is not an add-on. The add-ons are ${join(addOns)}.`),
  scope_invalid: ({ restriction, value }) => invalid(`${scopeTexts[restriction]}, not '${value}'.`),
  values_too_many: ({ fields, max }) => invalid(`${join(fields)} must have at most ${max} values.`),
  source_invalid: ({ problem: what, max }) => invalid(`Names of sources ${textProblemText(what, max)}`),
  overlap_invalid: ({ overlapMs, maxMs }) =>
    invalid(`overlap_seconds must be from 0 to ${maxMs / 1000}, not ${overlapMs / 1000}.`),
  webhook_unknown: ({ webhook }) => unknown('Webhook', webhook),
  webhook_url_invalid: ({ problem: what }) => invalid(urlProblemTexts[what]),
  event_type_unknown: ({ fields: [field], type, types }) =>
    invalid(
      type === undefined
        ? `${field} must name at least one type. Types: ${join(types)}.`
        : `The event type ${type} does not exist here. Types: ${join(types)}.`,
    ),
  too_many_webhooks: ({ max }) => conflict(`This owner has ${max} webhooks, the maximum. Remove one first.`),
  webhook_disabled: ({ webhook }) => conflict(`Webhook ${webhook} is disabled. Set its state to active first.`),
  delivery_unknown: ({ delivery }) => unknown('Delivery', delivery),
  not_permitted: ({ permission }) => [403, `This requires the permission ${permission}.`],
  user_unknown: ({ user }) => unknown('User', user),
  user_exists: ({ user }) => conflict(`A user with this e-mail address exists: ${user}.`),
  email_invalid: () => invalid('email must be an e-mail address.'),
  role_invalid: ({ role, roles }) => invalid(`The role ${role} does not exist here. The roles are ${join(roles)}.`),
  role_conflict: ({ user }) => conflict(`${user} is staff or a user of partners; nobody is both.`),
  last_owner: ({ user }) => conflict(`${user} is the last active owner. Make another user an owner first.`),
  last_admin: ({ canInvite }) =>
    conflict(
      `This is the last admin of the partner. Make another user an admin${canInvite ? ', or invite one, first.' : ' first, or ask the operator.'}`,
    ),
  password_invalid: ({ problem: what, min, max }) =>
    invalid(
      what === 'is_email'
        ? 'The password must not be the e-mail address.'
        : `The password must have ${min} to ${max} characters.`,
    ),
  link_ended: ({ reason }) => [410, `The link is ${reason}.`],
  sign_in_refused: () => [401, 'The sign-in was refused.'],
  sign_in_slowed: ({ waitMs }) => [429, `Wait ${Math.ceil(waitMs / 1000)} s before the next attempt.`],
  provider_unavailable: () => [503, 'The OpenID Connect provider does not answer. Try again later.'],
  sign_in_ended: () => [410, 'This sign-in has ended. Begin again.'],
  session_unknown: ({ session }) => unknown('Session', session),
  proof_required: () => [403, 'Prove again that this is your session.'],
  job_unknown: ({ job }) => unknown('Job', job),
  job_ended: ({ job, state }) => conflict(`Job ${job} has ended (${state}), so it cannot be cancelled.`),
  job_running: ({ kind, job, unfinished = 1 }) =>
    conflict(
      unfinished > 1
        ? `${unfinished} jobs of the kind ${kind} are running or waiting already. Wait, or cancel ${job}.`
        : `A job of the kind ${kind} is running already: ${job}. Wait, or cancel it.`,
    ),
  snapshot_unknown: ({ feed, version, snapshot }) => [
    404,
    `The feed ${feed} in version ${version} has no snapshot ${snapshot}.`,
  ],
  snapshot_gone: ({ feed, version, snapshot }) => [
    410,
    `The snapshot ${snapshot} of ${feed} in version ${version} is not available any more.`,
  ],
  scan_unknown: ({ scan }) => [
    404,
    `Scan ${scan} does not exist, has expired, or was removed by an erasure. Start it again.`,
  ],
  import_unknown: ({ import: id }) => unknown('Import', id),
  upload_too_large: ({ maxBytes }) => [413, `The upload has more than ${maxBytes} bytes (imports.uploadMb).`],
  backup_folder_unset: () =>
    conflict('The setting backup.dir is missing: the folder for backups that are started here.'),
  backup_of_database: () => conflict('The stores are in a database. Back it up with pg_dump, or by archiving its log.'),
  location_unknown: ({ location }) => unknown('Location', String(location)),
  location_merged: ({ location, survivor }) =>
    conflict(`Location ${location} was merged into ${survivor}. Change that one, or lift the merge.`),
  reason_required: () => invalid('reason must not be empty.'),
  override_field_unknown: ({ field, fields }) => [
    404,
    `The field ${field} cannot be overridden. The fields are ${join(fields)}.`,
  ],
  override_invalid: ({ field, detail }) => invalid(`The value of ${field} is not valid: ${detail}`),
  override_unknown: ({ location, field }) => [404, `The field ${field} of location ${location} is not overridden.`],
  override_changed: ({ location, field, revision }) => [
    412,
    `The field ${field} of location ${location} was changed by someone else: it has revision ${revision}. ` +
      'Nothing was changed. Compare with the current state, then repeat the change with its ETag.',
  ],
  merge_circular: ({ location, into }) =>
    conflict(`Location ${location} cannot be merged into ${into}: that is the same place after earlier merges.`),
  request_unknown: ({ request }) => unknown('Request', request),
  cursor_invalid: () => invalid('after must be the member next of the previous page.'),
  token_unknown: ({ token }) => unknown('Token', token),
  token_refused: ({ reason }) => [401, `The admin token is ${reason}.`],
  permissions_required: ({ permissions }) => invalid(`A token needs permissions. Permissions: ${join(permissions)}.`),
  permission_invalid: ({ permission, permissions }) =>
    invalid(`${permission} is not a permission of tokens. Permissions: ${join(permissions)}.`),
  token_end_invalid: ({ expiresMs, maxMs }) =>
    invalid(`expires_at must be in the future and not after ${formatTime(maxMs)}, not ${formatTime(expiresMs)}.`),
  network_invalid: ({ network }) =>
    invalid(`${network} is not a network. Specify one such as 203.0.113.0/24 or 2001:db8::/32, or one address.`),
  networks_too_many: ({ max }) => invalid(`A key can have at most ${max} networks. Combine them into larger ones.`),
  end_invalid: ({ expiresMs }) => invalid(`expires_at must be in the future, not ${formatTime(expiresMs)}.`),
  revocation_final: ({ key }) => conflict(`Key ${key} is revoked, which is final. Create another key.`),
  key_revoked: ({ key }) => conflict(`Key ${key} is revoked, which is final. Create another key.`),
  changed_meanwhile: ({ resource, id, expectedRevision, revision }) => [
    412,
    `The ${resource} ${id} was changed by someone else: it has revision ${revision}, not ${expectedRevision}. ` +
      'Nothing was changed. Compare with the current state in the member current, then repeat the change with its ETag.',
  ],
  feed_unknown: ({ feed, feeds }) => [404, `The feed ${feed} does not exist. The feeds are ${join(feeds)}.`],
  version_unknown: ({ version, versions }) =>
    invalid(`Version ${version} does not exist. The versions are ${join(versions)}.`),
  beta_not_pinnable: ({ pinnable }) =>
    invalid(`Feeds are not built in beta, because it changes without notice. ${pinnableText(pinnable)}`),
  feeds_ended: ({ version, pinnable }) => invalid(`Feeds in version ${version} have ended. ${pinnableText(pinnable)}`),
  version_not_pinnable: ({ version, pinnable }) =>
    invalid(`Version ${version} does not exist. ${pinnableText(pinnable)}`),
  feed_build_running: () => conflict('Another feed build is running. Try again when it has ended.'),
  feed_space_missing: ({ feed, version }) => [
    507,
    `The disk has too little free space for the feed ${feed} in version ${version}.`,
  ],
  signing_key_unusable: () =>
    conflict("The key that signs feeds cannot be used. Run 'periplus feeds build' to see the ways out."),
  period_reversed: ({ fromMs, toMs }) =>
    invalid(`from (${formatTime(fromMs)}) must not be later than to (${formatTime(toMs)}).`),
  time_zone_unknown: ({ timeZone }) =>
    invalid(`The time zone ${timeZone} does not exist. Specify one such as Europe/Madrid or UTC.`),
  month_invalid: ({ month }) => invalid(`'${month}' is not a month. Specify one such as 2026-11.`),
  photo_unknown: ({ photo }) => unknown('Photo', photo),
  review_unknown: ({ review }) => unknown('Review', String(review)),
  review_erased: ({ review }) => conflict(`Review ${review} was erased, which is final.`),
  reviewer_invalid: () => invalid('A reviewer has a source and a user id.'),
  source_required: () => invalid('A full sync requires the source that the file contains in full.'),
  field_unknown: ({ field, known }) =>
    invalid(`The field ${field} in map does not exist. The fields are ${join(known)}.`),
  category_map_invalid: ({ problems }) =>
    invalid(
      `category_map cannot be used. ${problems.join(' ')} Each one is word=category, such as izakaya=restaurant.`,
    ),
  field_repeated: ({ field }) => invalid(`map assigns the field ${field} more than once.`),
  import_running: () => conflict('Another import is running. Wait until it finishes.'),
  sync_failed: ({ detail }) => conflict(detail),
  input_unreadable: ({ detail }) => invalid(detail),
  input_unclear: ({ detail }) => invalid(detail),
  too_many_rejected: ({ read, rejected }) =>
    conflict(
      `The import stopped: ${rejected} of ${read} rows were rejected, more than 10 %. The rows stored so far remain.`,
    ),
  import_cancelled: ({ read }) =>
    conflict(`The import was cancelled after ${read} rows. The rows stored so far remain.`),
  too_many_missing: ({ source, kind, missing, stored }) =>
    conflict(`${missing} of ${stored} ${kind}s of the source ${source} are not in the input. Nothing was removed.`),
  space_missing: ({ folder }) => [507, `The disk of ${folder} has too little free space.`],
  disk_full: () => [507, 'The disk is full. Free some disk space and try again.'],
  disk_failed: () => [503, 'The disk, the system or a file of the data folder cannot be used at the moment.'],
}

/** Returns the problem of a fault, with an error for each field that it names. */
export function toFaultProblem(fault: AdminFault): Problem {
  const wording = (wordings as Readonly<Record<string, (fault: AdminFault) => Wording>>)[fault.fault]
  if (!wording) return problem('internal')
  const [status, detail] = wording(fault)
  const fieldErrors = fault.fields.map(field => ({ field: toSnake(field), message: detail }))
  return { status, code: fault.fault, detail, ...(status === 400 && fieldErrors.length > 0 && { fieldErrors }) }
}

/** Returns a name in the spelling of the API: `maxItems` is `max_items`. */
export const toSnake = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

const formatTime = (ms: number): string => new Date(ms).toISOString()
