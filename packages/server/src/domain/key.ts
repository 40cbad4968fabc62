import type { Agreement } from './agreement.ts'
import type { FeedPins } from './feed.ts'
import type { PackageName, PackageTable, Permission } from './package.ts'
import type { Scope } from './scope.ts'

export const keyStates = ['active', 'disabled', 'revoked'] as const
export type KeyState = (typeof keyStates)[number]

/** A key record: the subject of limits and usage. Rotation replaces its secrets and keeps the record. */
export interface Key {
  readonly id: string
  readonly partnerId: string
  readonly name?: string
  /** True for a test key: never billed, 1,000 units a day, no feeds. */
  readonly test: boolean
  readonly packageName: PackageName
  readonly addOns: readonly Permission[]
  readonly agreement: Agreement
  readonly scope: Scope
  readonly feedPins: FeedPins
  readonly state: KeyState
  /** Notes of the operator; the partner never sees them. */
  readonly notes?: string
  /** End of the key, in milliseconds since 1970; missing: no end. */
  readonly expiresMs?: number
  /** Networks in CIDR notation from which the key can be used (network.ts); missing: every address. */
  readonly networks?: readonly string[]
  /** Milliseconds since 1970. */
  readonly createdMs: number
  /** The latest counted call; missing before the first. */
  readonly lastUse?: KeyUse
  /** Counts the changes of the key, rotations included, from 1. */
  readonly revision: number
}

/** The day of a call in UTC, such as `2026-11-20`, and its version. */
export interface KeyUse {
  readonly day: string
  readonly version: string
}

/** Changes of a key's terms or state; a missing member leaves the value unchanged, null removes it. */
export interface KeyChange {
  readonly state?: KeyState
  readonly packageName?: PackageName
  readonly addOns?: readonly Permission[]
  readonly agreement?: Agreement
  readonly scope?: Scope
  readonly name?: string
  readonly notes?: string | null
  readonly expiresMs?: number | null
  readonly networks?: readonly string[] | null
}

/** Returns a key with a change applied. */
export function applyKeyChange(key: Key, { notes, expiresMs, networks, ...terms }: KeyChange): Key {
  const { notes: oldNotes, expiresMs: oldEnd, networks: oldNetworks, ...rest } = key
  const keep = <T>(after: T | null | undefined, before: T | undefined): T | undefined =>
    after === undefined ? before : (after ?? undefined)
  return {
    ...rest,
    ...terms,
    ...omitMissing({
      notes: keep(notes, oldNotes),
      expiresMs: keep(expiresMs, oldEnd),
      networks: keep(networks, oldNetworks),
    }),
  }
}

/** Returns the members of an object that are not undefined. */
const omitMissing = <T extends object>(members: T): { [M in keyof T]?: Exclude<T[M], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [M in keyof T]?: Exclude<T[M], undefined>
  }

/** The key that a presented secret belongs to. */
export interface KeyBySecret {
  readonly key: Key
  /** Id of the secret, unique in the key. */
  readonly secretId: string
  /** End of this secret, set by a rotation (milliseconds since 1970). */
  readonly expiresMs?: number
}

/** The reason why a key may not use feeds. */
export type NoFeedsReason = 'test_key' | 'scoped' | 'not_in_package'

/** Returns the reason why a key may not use feeds; undefined if it may. */
export function noFeedsReason(key: Key, packageTable: PackageTable): NoFeedsReason | undefined {
  if (key.test) return 'test_key'
  // A feed contains the complete data set, so a key with a restricted scope cannot use it.
  if (!packageAndAddOns(key, packageTable).includes('feeds')) return 'not_in_package'
  return Object.values(key.scope).some(part => part !== undefined) ? 'scoped' : undefined
}

/**
 * Returns the permissions of a key: the permissions of its package and add-ons, without feeds if forbids
 * them.
 */
export function permissionsOf(key: Key, packageTable: PackageTable): Set<Permission> {
  const granted = new Set(packageAndAddOns(key, packageTable))
  if (noFeedsReason(key, packageTable) !== undefined) granted.delete('feeds')
  return granted
}

const packageAndAddOns = (key: Key, packageTable: PackageTable): Permission[] => [
  ...packageTable.packages[key.packageName].permissions,
  ...key.addOns,
]
