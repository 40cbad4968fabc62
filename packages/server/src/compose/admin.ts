import { v7 as uuidv7 } from 'uuid'
import { createSecret, digestSecret, isWellFormedAdminSecret } from '../access/key-format.ts'
import type { Config } from '../config/load.ts'
import type { TokenMint, TokenStore } from '../domain/admin-token.ts'
import type { Edition } from '../domain/feed.ts'
import type { EditionSnapshots } from '../domain/feed-build.ts'
import type { SecretMint } from '../domain/key-secret.ts'
import type { KeyAdmin } from '../domain/key-stores.ts'
import type { FeedVersion } from '../domain/lifecycle.ts'
import type { PackageTable } from '../domain/package.ts'
import type { Engine } from '../domain/stores.ts'
import type { UpgradeStore } from '../domain/upgrade.ts'
import { readSchema, schemaName } from '../feeds/schemas.ts'
import { type Clock, systemClock } from '../kit/clock.ts'
import { openLayout } from '../store/folder/layout.ts'
import { loadPepper } from '../store/folder/pepper.ts'
import { getDefaultVersion, resolveLifecycle } from '../versions/lifecycle.ts'
import { storedSnapshots } from './feeds.ts'

/** Dependencies of the use cases for partners, keys and pins. */
export interface Admin {
  readonly keys: KeyAdmin
  readonly upgrades: UpgradeStore
  readonly tokens: TokenStore
  readonly mint: SecretMint
  readonly tokenMint: TokenMint
  readonly clock: Clock
  readonly packageTable: PackageTable
  /** The version that feeds of a new key are pinned to. */
  readonly latestStable: string
  readonly feedVersions: readonly FeedVersion[]
  /** Returns the snapshots of each edition. */
  editions(): Promise<readonly EditionSnapshots[]>
  /** Returns the members of a feed's records and their schemas, by name. */
  recordMembers(edition: Edition): ReadonlyMap<string, unknown>
  newId(kind: 'partner' | 'key' | 'note' | 'upgrade' | 'token'): string
}

/** Composes the administration of partners and keys of an open engine. */
export function composeAdmin(engine: Engine, config: Config): Admin {
  const pepper = loadPepper(openLayout(config.data))
  return {
    keys: engine.keys,
    upgrades: engine.upgrades,
    tokens: engine.tokens,
    mint: { create: createSecret, digest: secret => digestSecret(secret, pepper) },
    tokenMint: {
      create: () => createSecret('admin'),
      digest: secret => (isWellFormedAdminSecret(secret) ? digestSecret(secret, pepper) : undefined),
    },
    clock: systemClock,
    packageTable: config,
    latestStable: getDefaultVersion(resolveLifecycle(config), systemClock.nowMs()).name,
    feedVersions: getFeedVersions(config),
    editions: storedSnapshots(config),
    recordMembers: readRecordMembers,
    newId: kind => `${kind}_${uuidv7()}`,
  }
}

/** Returns the members of a feed's records from the published schema of the edition. */
function readRecordMembers(edition: Edition): ReadonlyMap<string, unknown> {
  const text = readSchema(schemaName(edition))
  if (text === undefined) return new Map()
  const { anyOf, $defs } = JSON.parse(text) as {
    readonly anyOf: readonly { readonly $ref: string }[]
    readonly $defs: Readonly<Record<string, { readonly properties?: Readonly<Record<string, unknown>> }>>
  }
  const name = anyOf[0]?.$ref.split('/').at(-1) ?? ''
  return new Map(Object.entries($defs[name]?.properties ?? {}))
}

/** Returns all versions with their state for feeds. */
export const getFeedVersions = (config: Config): FeedVersion[] =>
  resolveLifecycle(config).versions.map(({ name, status, version }) => ({
    name,
    status,
    isImplemented: version !== undefined,
    feedsEnded: config.feeds.endedVersions.includes(name),
  }))
