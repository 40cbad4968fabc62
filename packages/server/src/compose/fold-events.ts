import { computeGrant } from '../access/grant.ts'
import type { Key } from '../domain/key.ts'
import type { KeyAdmin } from '../domain/key-stores.ts'
import type { Ledger } from '../domain/ledger.ts'
import { getSubject } from '../domain/limit-subject.ts'
import type { PackageTable, Quota } from '../domain/package.ts'
import { everything } from '../domain/visibility.ts'
import { type FindQuotaHolder, penaltyEvents, type QuotaHolder, quotaEvents } from '../events/quota.ts'

/** Returns a ledger whose commits add the events of quotas and penalties in the same transaction. */
export function withFoldEvents(ledger: Ledger, keys: KeyAdmin, packageTable: PackageTable): Ledger {
  const find = createHolderLookup(keys, packageTable)
  return {
    ...ledger,
    commit: async fold => {
      const { last, strikes = [] } = fold
      if (!last) return ledger.commit(fold)
      const holderOf = await find()
      return ledger.commit(fold, states => [
        ...quotaEvents(states, holderOf, last.timeMs),
        ...penaltyEvents(strikes, holderOf),
      ])
    },
  }
}

/** Returns a function that returns the holders of all limit states; it reads the keys again only after a change. */
function createHolderLookup(keys: KeyAdmin, packageTable: PackageTable): () => Promise<FindQuotaHolder> {
  let known: { readonly revision: number; readonly holders: ReadonlyMap<string, QuotaHolder> } | undefined
  return async () => {
    const revision = await keys.revision()
    if (known?.revision !== revision)
      known = { revision, holders: holdersOf(await keys.keys(everything), packageTable) }
    const { holders } = known
    return subject => holders.get(subject)
  }
}

/** Returns the holder of each subject. Keys that share limits count with the lowest of their quotas. */
function holdersOf(keys: readonly Key[], packageTable: PackageTable): Map<string, QuotaHolder> {
  const holders = new Map<string, QuotaHolder>()
  for (const key of keys) {
    const { limits } = computeGrant(key, packageTable)
    const subject = getSubject(key)
    const earlier = holders.get(subject)?.quotas
    holders.set(subject, {
      partnerId: key.partnerId,
      ...(subject === key.id && { keyId: key.id }),
      quotas: {
        package: lowerQuota(limits.quota.value, earlier?.package),
        search: lowerQuota(limits.searchQuota.value, earlier?.search),
        autocomplete: 'unlimited',
      },
    })
  }
  return holders
}

function lowerQuota(quota: Quota, other: Quota = 'unlimited'): Quota {
  if (quota === 'unlimited') return other
  return other === 'unlimited' ? quota : Math.min(quota, other)
}
