import { computeGrant } from '../../access/grant.ts'
import { forEachBucket } from '../../domain/limit-bucket.ts'
import type { LiveLimits } from '../../domain/limit-status.ts'
import type { PackageTable } from '../../domain/package.ts'
import { toBucketStatus } from '../live-limits.ts'
import type { NodeLimits } from './node-limits.ts'

/** Creates the view of the limits that nodes share. Without an epoch, the status is that of the ledger. */
export function createSharedLiveLimits({ rounds, forgive }: NodeLimits, packageTable: PackageTable): LiveLimits {
  return {
    statusOf: async key => {
      const { limits } = computeGrant(key, packageTable)
      const request = { kind: 'status', caller: key, limits, bucket: 'package', minUnits: 0, units: 0 } as const
      const shared = await rounds.decide(request)
      const { nowUs, states } = shared.kind === 'void' ? await rounds.statusInLedger(request) : shared
      const nowMs = Math.floor(nowUs / 1000)
      return forEachBucket(bucket => toBucketStatus(states![bucket], nowUs, nowMs))
    },
    forgive: key => forgive(key, computeGrant(key, packageTable).limits),
  }
}
