import type { AuditLog } from '../domain/audit-log.ts'
import type { ConfigStatus } from '../domain/config-status.ts'
import type { DiskUse } from '../domain/disk-use.ts'
import type { Id } from '../domain/id.ts'
import type { KeyAdmin } from '../domain/key-stores.ts'
import type { ServedVersion } from '../domain/lifecycle.ts'
import type { LiveState } from '../domain/live-state.ts'
import type { OidcProvider } from '../domain/oidc.ts'
import type { Operation, OperationMeter } from '../domain/operation.ts'
import type { Scope } from '../domain/scope.ts'
import type { SecondFactorPolicy } from '../identity/second-factor-policy.ts'
import type { Clock } from '../kit/clock.ts'
import type { Logger } from '../kit/log.ts'
import type { RecentWarning } from '../kit/recent-warnings.ts'
import type { EffectiveSetting } from '../resources/config.ts'
import type { KeyCreation } from '../usecases/admin/create-key.ts'
import type { TokenCreation } from '../usecases/admin/create-token.ts'
import type { Requests } from '../usecases/admin/find-request.ts'
import type { Forecasts } from '../usecases/admin/forecast-usage.ts'
import type { Identity } from '../usecases/admin/identity.ts'
import type { CreatedLink } from '../usecases/admin/invite-user.ts'
import type { StatementStores } from '../usecases/admin/make-statement.ts'
import type { UpgradeOpening } from '../usecases/admin/open-upgrade.ts'
import type { PinPreviewing } from '../usecases/admin/preview-pin.ts'
import type { WebhookStores } from '../usecases/admin/webhook-stores.ts'
import type { ApiReference } from '../web/reference/operations.ts'
import type { Site } from '../web/site.ts'
import type { Idempotency } from './idempotency.ts'
import type { OncePages } from './pages/once-pages.ts'
import type { PlaceContext } from './places.ts'
import type { VersionPair } from './version-pair.ts'
import type { WorkStores } from './work.ts'

/** The parts that the handlers of the management server need. */
export interface ManagementContext {
  readonly clock: Clock
  readonly log: Logger
  /** Public URL of the management server, with its base path. */
  readonly publicUrl: string
  /** Public URL of the partner API, with its base path. */
  readonly apiUrl: string
  readonly admin: AdminStores
  /** Jobs, and what starts them. */
  readonly work: WorkStores
  /** Places and reviews. */
  readonly places: PlaceContext
  readonly identity: Identity
  /** True if there is an SMTP server. */
  readonly hasMail: boolean
  /** Sends a link to the person whom it names, by mail if there is an SMTP server. */
  readonly sendLink: (created: CreatedLink, to: string) => Promise<SentLink>
  /** Writes to the earlier address of an account that its address was changed. */
  readonly sendAddressChange: (change: { readonly from: string; readonly to: string }) => Promise<SentLink['mail']>
  /** Sends a mail that says only that mail works. */
  readonly sendTestMail: (to: string) => Promise<SentLink['mail']>
  /** Allows sign-in over plain http from other machines. */
  readonly insecureHttp: boolean
  readonly usage: StatementStores
  readonly forecasts: Forecasts
  readonly requests: Requests
  readonly audit: AuditLog
  readonly idempotency: Idempotency
  readonly once: OncePages
  readonly webhooks: WebhookStores
  readonly release: string
  /** The node that serves the request; undefined for a service that has no others next to it. */
  readonly node: { readonly id: string; readonly name: string } | undefined
  /** Returns the versions of the partner API. */
  readonly versions: () => readonly ServedVersion[]
  /** Compares two versions by their names; undefined if one does not exist or has been deleted. */
  readonly compareVersions: (before: string, after: string, nowMs: number) => VersionPair | undefined
  /** Returns the ids of well-known places in a scope; empty while the search is not available. */
  readonly exampleIds: (scope: Scope) => Promise<readonly Id[]>
  /** True if searches also count toward the rate and quota of the package. */
  readonly searchCountsTowardPackage: boolean
  /** Charge of each operation. */
  readonly meters: Readonly<Record<Operation, OperationMeter>>
  /** Returns the warnings about the configuration now, and the default version. */
  readonly checkConfig: () => ConfigStatus
  /**
   * Returns the reference of a version of the partner API by the name of its document, by default the latest stable
   * one; its examples call the places.
   */
  readonly reference: (document: string | undefined, placeIds: readonly string[]) => ApiReference | undefined
  /** All settings, without secrets. */
  readonly settings: readonly EffectiveSetting[]
  readonly secondFactor: SecondFactorPolicy
  /** Undefined if the configuration names no provider. */
  readonly oidc: OidcProvider | undefined
  /** Name, addresses and other parts of the operator that all pages show. */
  readonly site: Site
  /** Measures the data folder. */
  readonly disk: () => Promise<DiskUse>
  /** The latest warnings of the management thread, oldest first. */
  readonly warnings: () => readonly RecentWarning[]
  /** State of the serving process. */
  readonly live: LiveState
}

/** The URL of a link and the outcome of its mail: `unset` without an SMTP server. */
export interface SentLink {
  readonly url: string
  readonly mail: 'sent' | 'failed' | 'unset'
}

/** Dependencies of the use cases for partners, keys, pins and tokens. */
export interface AdminStores
  extends Omit<KeyCreation, 'newId'>,
    Omit<TokenCreation, 'newId' | 'keys'>,
    Omit<UpgradeOpening, 'newId'>,
    PinPreviewing {
  readonly keys: KeyAdmin
  newId(kind: 'partner' | 'key' | 'note' | 'upgrade' | 'token'): string
}
