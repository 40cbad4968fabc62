import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { Key } from '../../domain/key.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import type { LimitStatus } from '../../domain/limit-status.ts'
import type { LiveState } from '../../domain/live-state.ts'
import { findKey } from './find-key.ts'

/** Returns a key and the current state of its limits. */
export async function getLimits(
  { keys, live }: { readonly keys: KeyAdmin; readonly live: Pick<LiveState, 'limitsOf'> },
  actor: Actor,
  { id }: { readonly id: string },
): Promise<{ readonly key: Key; readonly status: LimitStatus } | AdminFault> {
  const key = await findKey(keys, actor, id)
  return isAdminFault(key) ? key : { key, status: await live.limitsOf(key) }
}
