import type { Config } from '../config/load.ts'
import type { Actor } from '../domain/actor.ts'
import { isAdminFault } from '../domain/admin-fault.ts'
import { StoreError } from '../domain/store-errors.ts'
import type { Engine } from '../domain/stores.ts'
import type { Clock } from '../kit/clock.ts'
import { createOwnerLink } from '../usecases/admin/create-link.ts'
import { composeIdentity, getManagementUrl, linkUrl } from './identity.ts'

const system: Actor = { kind: 'system', id: 'serve', via: 'system' }

/**
 * Returns a link with which a person becomes the first owner; undefined while there is an owner, or if there is no
 * management server. The link of an earlier start ends, and so do the links of a demo.
 */
export async function createFirstOwnerLink(
  engine: Engine,
  config: Config,
  clock: Clock,
  servedAt: string,
): Promise<string | undefined> {
  try {
    await engine.people.links.end('demo')
    if (!config.management.enabled || (await engine.people.users.hasOwner())) return undefined
    const created = await createOwnerLink(composeIdentity(engine, config, clock), system)
    return isAdminFault(created) ? undefined : linkUrl(getManagementUrl(config, servedAt), created.token)
  } catch (error) {
    // A disk that fails is counted and shown elsewhere; it does not stop the service.
    if (error instanceof StoreError) return undefined
    throw error
  }
}
