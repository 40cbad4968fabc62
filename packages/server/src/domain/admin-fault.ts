import type { AdminPermission } from './admin-permission.ts'
import type { TokenRefusal } from './admin-token.ts'
import type { LimitName } from './agreement.ts'
import type { FolderDefect } from './data-folder.ts'
import type { EventType } from './event.ts'
import type { BillingFailure } from './exported-usage.ts'
import type { FeedName, SigningKeyProblem } from './feed.ts'
import type { Id } from './id.ts'
import type { UnclearCode } from './import.ts'
import type { JobFaultFacts } from './job-fault.ts'
import type { PackageName, Permission, Quota } from './package.ts'
import type { PartnerFaultFacts } from './partner-fault.ts'
import type { PasswordProblem } from './password.ts'
import type { PlaceFaultFacts } from './place-fault.ts'
import type { RecordKind } from './record-write.ts'
import type { Scope } from './scope.ts'
import type { StoreFailureKind } from './store-errors.ts'
import type { SuggestionFaultFacts } from './suggestion-fault.ts'
import type { TextProblem } from './text-bounds.ts'
import type { UrlProblem } from './webhook.ts'

/** A store of a backup whose schema this release does not know. */
export interface NewerBackupSchema {
  /** File name of the store that is too new. */
  readonly store: string
  readonly found: number
  readonly supported: number
  /** The release that made the backup. */
  readonly release: string
}

/** The difference between a file of a backup and its manifest. */
export type BackupDamage =
  | { readonly kind: 'unreadable' | 'missing' | 'checksum' }
  | { readonly kind: 'size'; readonly bytes: number; readonly expectedBytes: number }

/** Members of the faults that administrative use cases return, by code. Each interface writes its own messages. */
export interface AdminFaultFacts extends JobFaultFacts, PartnerFaultFacts, PlaceFaultFacts, SuggestionFaultFacts {
  /** A required text is blank; `fields` names it. */
  text_empty: object
  /** A text is outside its bounds (text-bounds.ts); `fields` names it, `max` is in characters. */
  text_invalid: { readonly problem: TextProblem; readonly max: number }
  partner_unknown: { readonly partner: string }
  key_unknown: { readonly key: string }
  secret_unknown: { readonly key: string; readonly secret: string }
  /** The caller does not have `permission`, or cannot give it. */
  not_permitted: { readonly permission: string }
  user_unknown: { readonly user: string }
  /** A user with the e-mail address exists. */
  user_exists: { readonly user: string }
  email_invalid: { readonly email: string }
  /** The role does not exist for staff, or for users of a partner. */
  role_invalid: { readonly role: string; readonly roles: readonly string[] }
  /** A person is staff or a user of partners, never both. */
  role_conflict: { readonly user: string }
  /** No active owner would remain. */
  last_owner: { readonly user: string }
  /** The partner would have no active admin; `canInvite`: an open invitation of one would suffice. */
  last_admin: { readonly user: string; readonly canInvite: boolean }
  password_invalid: { readonly problem: PasswordProblem; readonly min: number; readonly max: number }
  /** The link was used, has expired, or never existed. */
  link_ended: { readonly reason: 'used' | 'expired' | 'unknown' }
  /** E-mail address, password, code or passkey do not belong together; the fault never says which is wrong. */
  sign_in_refused: object
  /** Too many failed attempts; the next one is possible after the wait. */
  sign_in_slowed: { readonly waitMs: number }
  /** The OpenID Connect provider does not answer. */
  provider_unavailable: object
  /** The step of a sign-in has expired or was used. */
  sign_in_ended: object
  session_unknown: { readonly session: string }
  /** The user must prove again that they own the session. */
  proof_required: object
  token_unknown: { readonly token: string }
  /** The presented admin token cannot be used. */
  token_refused: { readonly reason: TokenRefusal }
  /** A token needs at least one permission. */
  permissions_required: { readonly permissions: readonly AdminPermission[] }
  /** The permission does not exist, or a token cannot have it. */
  permission_invalid: { readonly permission: string; readonly permissions: readonly AdminPermission[] }
  /** The end of a token or key is not in the future, or is later than `maxMs`. */
  token_end_invalid: { readonly expiresMs: number; readonly maxMs: number }
  package_required: { readonly packages: readonly PackageName[] }
  /** The package has no daily quota, so an agreement must name one. */
  quota_required: { readonly package: PackageName }
  /** An agreed limit is 0, negative, above `max`, or not whole although `whole` is true. */
  limit_invalid: {
    readonly limit: LimitName
    readonly value: Quota
    readonly whole: boolean
    readonly max: number
  }
  /** The permission cannot be added to a package. */
  add_on_invalid: { readonly addOn: string; readonly addOns: readonly Permission[] }
  /** A restriction has a value that it cannot have: no country code, no top-level category, or a blank source. */
  scope_invalid: { readonly restriction: keyof Scope; readonly value: string }
  /** The list that `fields` names has more than `max` values. */
  values_too_many: { readonly max: number }
  /** The name of a source is outside its bounds (text-bounds.ts). */
  source_invalid: { readonly problem: TextProblem; readonly max: number }
  /** The time for which earlier secrets still work is negative, above `maxMs`, or not whole. */
  overlap_invalid: { readonly overlapMs: number; readonly maxMs: number }
  /** The text is neither a network in CIDR notation nor an address. */
  network_invalid: { readonly network: string }
  /** A key has more networks than `max`. */
  networks_too_many: { readonly max: number }
  /** The end of a new key is in the past or not a time. */
  end_invalid: { readonly expiresMs: number }
  /** A revoked key cannot get another state. */
  revocation_final: { readonly key: string }
  /** The action needs a key that is not revoked. */
  key_revoked: { readonly key: string }
  /** The resource changed after the caller had read it; `revision` is the current one. */
  changed_meanwhile: {
    readonly resource: 'key' | 'partner' | 'user' | 'webhook' | 'upgrade' | 'suggestion'
    readonly id: string
    readonly expectedRevision: number
    readonly revision: number
  }
  webhook_unknown: { readonly webhook: string }
  webhook_url_invalid: { readonly url: string; readonly problem: UrlProblem }
  /** `type` is undefined if no type was named. */
  event_type_unknown: { readonly type: string | undefined; readonly types: readonly EventType[] }
  too_many_webhooks: { readonly max: number }
  /** The action needs an endpoint that is not disabled. */
  webhook_disabled: { readonly webhook: string }
  delivery_unknown: { readonly delivery: string }
  feed_unknown: { readonly feed: string; readonly feeds: readonly FeedName[] }
  version_unknown: { readonly version: string; readonly versions: readonly string[] }
  /** Feeds are not built in beta. */
  beta_not_pinnable: { readonly pinnable: readonly string[] }
  feeds_ended: { readonly version: string; readonly pinnable: readonly string[] }
  version_not_pinnable: { readonly version: string; readonly pinnable: readonly string[] }
  /** Another build of feeds is running on the data folder. */
  feed_build_running: object
  /** A build does not fit on the disk; published snapshots are unchanged. */
  feed_space_missing: {
    readonly feed: FeedName
    readonly version: string
    readonly folder: string
    /** An estimate. */
    readonly neededBytes: number
    readonly freeBytes: number
  }
  /** The key that signed the published snapshots is gone, damaged, or was replaced; nothing was built. */
  signing_key_unusable: { readonly file: string; readonly problem: SigningKeyProblem }
  data_folder_missing: { readonly folder: string }
  /** Parts of the data folder are missing, empty, damaged, or belong to another folder. */
  data_folder_unusable: { readonly folder: string; readonly defects: readonly FolderDefect[] }
  /** A newer release wrote a store; `known` is the latest schema version that this one knows. */
  schema_newer: { readonly store: string; readonly found: number; readonly known: number }
  /** No call that the actor may see has the id, or it is older than the request log. */
  request_unknown: { readonly request: string }
  /** The cursor was not returned by the list. */
  cursor_invalid: object
  /** The period ends before it begins. */
  period_reversed: { readonly fromMs: number; readonly toMs: number }
  time_zone_unknown: { readonly timeZone: string }
  month_invalid: { readonly month: string }
  /** No billing system is configured to which usage could be exported. */
  billing_system_missing: object
  /** The billing system did not accept usage; `sent` events were accepted before. */
  billing_system_failed: { readonly url: string; readonly failure: BillingFailure; readonly sent: number }
  review_unknown: { readonly review: Id }
  /** No record has the photo, or it was erased. */
  photo_unknown: { readonly photo: string }
  review_erased: { readonly review: Id }
  /** The text is missing or not `source:user_id`. */
  reviewer_invalid: { readonly reviewer: string | undefined }
  /** A full sync requires the source that the files contain in full. */
  source_required: object
  /** Columns cannot be mapped to this field. */
  field_unknown: { readonly field: string; readonly known: readonly string[] }
  /** Two columns are mapped to the same field. */
  field_repeated: { readonly field: string }
  import_running: object
  /** The source of a sync could not be read; `detail` is a user-facing message. */
  sync_failed: { readonly name: string; readonly detail: string }
  /** Standard input, which can be read only once, is named twice. */
  stdin_repeated: object
  /** The file for rejected rows is shared by several inputs, or it is a folder. */
  rejects_file_invalid: { readonly file: string; readonly problem: 'shared' | 'folder' }
  /**
   * The file of words and categories cannot be read, or it or the request assigns words that cannot be assigned;
   * `problems` are sentences.
   */
  category_map_invalid: { readonly file: string | undefined; readonly problems: readonly string[] }
  /** Rejected rows could not be written to their file; stored rows remain. `errorCode`: of the system, as `ENOSPC`. */
  rejects_not_written: { readonly file: string; readonly errorCode: string }
  /** `detail` is a user-facing message. */
  input_unreadable: { readonly input: string; readonly detail: string }
  /**
   * The operator has to specify more about the input. `detail` is a user-facing message; `columns` are the columns of
   * the input.
   */
  input_unclear: {
    readonly input: string
    readonly problem: UnclearCode
    readonly detail: string
    readonly columns: readonly string[]
  }
  /** The import stopped; the stored rows remain. `nothingRemoved`: it was a full sync, which removed nothing. */
  too_many_rejected: { readonly read: number; readonly rejected: number; readonly nothingRemoved: boolean }
  import_cancelled: { readonly read: number; readonly nothingRemoved: boolean }
  /** A full sync was cancelled while it removed records. */
  removal_cancelled: object
  /** A full sync would remove too many records of a source, and removed none. */
  too_many_missing: {
    readonly source: string
    readonly kind: RecordKind
    readonly missing: number
    readonly stored: number
  }
  /** The target of a backup is inside the data folder. */
  backup_target_in_data: { readonly target: string; readonly data: string }
  /** The target of a backup is a file or a folder that is not empty. */
  backup_target_used: { readonly target: string }
  /** The disk of a folder has too little free space. */
  space_missing: { readonly folder: string; readonly neededBytes: number; readonly freeBytes: number }
  /** The copy was damaged and was removed; `problem` is the message of a check. */
  copy_damaged: { readonly problem: string }
  /** A restore does not replace a data folder that has contents. */
  data_folder_not_empty: { readonly folder: string }
  /** A service or an import uses the data folder that a restore would replace. */
  data_folder_in_use: { readonly folder: string }
  backup_missing: { readonly backup: string }
  /** The backup has no manifest, so it was not completed. */
  backup_incomplete: { readonly backup: string; readonly manifest: string }
  /** A newer release made the backup; `schema` is the store that is too new, unless the manifest itself is. */
  backup_newer: { readonly backup: string; readonly schema: NewerBackupSchema | undefined }
  /** A file of the backup is missing, or it is not what the manifest says. */
  backup_damaged: { readonly backup: string; readonly file: string; readonly damage: BackupDamage }
  disk_full: { readonly file: string }
  /** A disk, the system or the file itself prevents the use of a file; see StoreFailure. */
  disk_failed: { readonly kind: StoreFailureKind; readonly file: string }
  /** All rows of an input were rejected. */
  nothing_imported: { readonly input: string }
}

export type AdminFaultCode = keyof AdminFaultFacts

/** A fault of one code. `fields` names the input members that are wrong, as in `agreement.quota`. */
export type AdminFaultOf<C extends AdminFaultCode> = {
  readonly fault: C
  readonly fields: readonly string[]
} & AdminFaultFacts[C]

/** An expected error of an administrative use case, as a value: returned, never thrown. */
export type AdminFault = { [C in AdminFaultCode]: AdminFaultOf<C> }[AdminFaultCode]

/** Creates a fault. */
export const adminFault = <C extends AdminFaultCode>(
  fault: C,
  fields: readonly string[],
  facts: AdminFaultFacts[C],
): AdminFaultOf<C> => ({ fault, fields, ...facts })

/** Returns true if the outcome is a fault. */
export const isAdminFault = <T>(outcome: T | AdminFault): outcome is AdminFault =>
  typeof outcome === 'object' && outcome !== null && 'fault' in outcome && 'fields' in outcome
