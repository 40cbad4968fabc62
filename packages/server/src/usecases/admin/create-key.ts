import type { Agreement } from '../../domain/agreement.ts'
import { pinsTo } from '../../domain/feed.ts'
import type { Key, SecretMint } from '../../domain/key.ts'
import type { PackageName, PackageTable, Permission } from '../../domain/package.ts'
import type { Scope } from '../../domain/scope.ts'
import type { KeyAdmin } from '../../domain/stores.ts'

export interface NewKey {
  readonly id: string
  readonly partnerId: string
  readonly name?: string
  readonly test: boolean
  readonly packageName: PackageName
  readonly addOns: readonly Permission[]
  readonly agreement: Agreement
  readonly scope: Scope
  /** The version that its feeds are pinned to: the latest stable one (SPEC §9.1.8). */
  readonly feedVersion: string
  readonly nowMs: number
}

/** A key's terms do not go together; the message says which flag mends it. */
export interface TermsRefused {
  readonly refused: string
}

/** Makes a key and its first secret, which is told here and never again. */
export async function createKey(
  keys: KeyAdmin,
  mint: SecretMint,
  packageTable: PackageTable,
  { nowMs, feedVersion, ...asked }: NewKey,
): Promise<{ key: Key; secret: string } | TermsRefused> {
  const key: Key = { ...asked, feedPins: pinsTo(feedVersion), state: 'active', createdMs: nowMs }
  const refused = refuseTerms(key, packageTable)
  if (refused) return refused
  const secret = mint.create(key.test ? 'test' : 'live')
  await keys.createKey(key, mint.digest(secret))
  return { key, secret }
}

/** a package without a quota of its own needs an agreement that says one, `unlimited` included. */
export function refuseTerms(
  key: Pick<Key, 'packageName' | 'agreement' | 'test'>,
  packageTable: PackageTable,
): TermsRefused | undefined {
  const agreed =
    key.test || packageTable.packages[key.packageName].quota !== undefined || key.agreement.quota !== undefined
  return agreed
    ? undefined
    : {
        refused: `The package ${key.packageName} has no daily quota of its own: say what was agreed with --quota N, or --quota unlimited.`,
      }
}
