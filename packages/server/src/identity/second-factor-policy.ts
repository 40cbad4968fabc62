import type { User } from '../domain/user.ts'

/** The users that must have a second factor. */
export type SecondFactorPolicy = 'optional' | 'staff' | 'all'

/**
 * Returns true if a user must set up a second factor before anything but the profile opens. A passkey is one as well.
 */
export const needsSecondFactor = ({ staffRole, factors }: User, policy: SecondFactorPolicy): boolean =>
  !factors.totp && factors.passkeys === 0 && (policy === 'all' || (policy === 'staff' && staffRole !== undefined))
