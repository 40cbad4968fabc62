import type { User } from '../../domain/user.ts'
import type { Identity } from './identity.ts'

/** A sign-in that waits for the second factor; `ticket` continues it. */
export interface SecondFactorStep {
  readonly ticket: string
}

/** Time for which a sign-in waits for its next step, in milliseconds. */
export const signInMs = 10 * 60_000

/** Opens the second step of a sign-in. */
export async function openSecondFactor(stores: Identity, user: User): Promise<SecondFactorStep> {
  const ticket = stores.opaque.create()
  const nowMs = stores.clock.nowMs()
  const step = {
    kind: 'second_factor',
    data: JSON.stringify({ userId: user.id }),
    expiresMs: nowMs + signInMs,
  } as const
  await stores.people.signIns.add(step, stores.opaque.digest(ticket), nowMs)
  return { ticket }
}
