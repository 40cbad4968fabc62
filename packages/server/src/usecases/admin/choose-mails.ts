import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { EventType } from '../../domain/event.ts'
import { type MailType, mailTypes } from '../../domain/mail-type.ts'
import type { User } from '../../domain/user.ts'
import { changeUser } from './change-user.ts'
import { type Identity, userActor } from './identity.ts'
import type { SignedIn } from './second-factors.ts'

/**
 * Returns the types of mail that a user can get: those for staff if the user is an owner or operator, those for
 * partners if the user is the admin of one.
 */
export function mailTypesOf({ staffRole, memberships }: User): readonly MailType[] {
  if (staffRole !== undefined) return staffRole === 'support' ? [] : mailTypes('staff')
  return memberships.some(({ role }) => role === 'admin') ? mailTypes('partner') : []
}

/** Sets which mails a user gets: those named, and those about secrets and access, which nobody can switch off. */
export async function chooseMails(
  stores: Identity,
  { user, browser }: Pick<SignedIn, 'user' | 'browser'>,
  { wanted, expectedRevision }: { readonly wanted: readonly string[]; readonly expectedRevision: number },
): Promise<User | AdminFault> {
  const types = mailTypesOf(user).filter(({ isSecurity }) => !isSecurity)
  const known: readonly EventType[] = types.map(({ type }) => type)
  const wrong = wanted.find(name => !known.some(type => type === name))
  if (wrong !== undefined) return adminFault('event_type_unknown', ['mails'], { type: wrong, types: known })
  const mails = Object.fromEntries(known.filter(type => !wanted.includes(type)).map(type => [type, false]))
  return changeUser(stores, userActor(user, browser), { id: user.id, expectedRevision, change: { mails } })
}
