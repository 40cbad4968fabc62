import type { Config } from '../../src/config/load.ts'
import { isAdminFault } from '../../src/domain/admin-fault.ts'
import { newPartnerTerms } from '../../src/domain/partner.ts'
import { createKey } from '../../src/usecases/admin/create-key.ts'
import { openAdmin } from '../composed.ts'
import { record } from '../record.ts'
import { actor } from '../world.ts'
import type { KeyLimits } from './evidence.ts'
import type { TrafficKey } from './traffic.ts'

/** The keys of the traffic. */
export interface TrafficKeys {
  /** Keys with a rate that binds, with a quota that binds, and without either. */
  readonly rateKeys: readonly TrafficKey[]
  readonly quotaKeys: readonly TrafficKey[]
  readonly hotKey: TrafficKey
}

const rateLimits: KeyLimits = { rate: 3, burst: 3, quota: 1_000_000_000 }
const quotaLimits: KeyLimits = { rate: 100_000, burst: 100_000, quota: 150 }
const hotLimits: KeyLimits = { rate: 100_000, burst: 1_000_000, quota: 1_000_000_000 }
const rateKeyCount = 6

/** Creates the keys of the traffic. */
export async function createKeys(config: Config, quotaKeyCount: number): Promise<TrafficKeys> {
  const admin = openAdmin(config)
  const partner = { id: 'chaos', name: 'Chaos', ...newPartnerTerms, createdMs: admin.clock.nowMs(), revision: 1 }
  await admin.keys.createPartner(partner, record())
  const create = async (limits: KeyLimits): Promise<TrafficKey> => {
    const agreement = { ...limits, searchRate: 1, searchBurst: 1, searchQuota: 1 }
    const made = await createKey(admin, actor, { partnerId: partner.id, packageName: 'discover', agreement })
    if (isAdminFault(made)) throw new Error(made.fault)
    return { id: made.key.id, secret: made.secret, limits }
  }
  const createAll = async (count: number, limits: KeyLimits): Promise<TrafficKey[]> => {
    const keys: TrafficKey[] = []
    while (keys.length < count) keys.push(await create(limits))
    return keys
  }
  try {
    return {
      rateKeys: await createAll(rateKeyCount, rateLimits),
      quotaKeys: await createAll(quotaKeyCount, quotaLimits),
      hotKey: await create(hotLimits),
    }
  } finally {
    await admin.close()
  }
}
