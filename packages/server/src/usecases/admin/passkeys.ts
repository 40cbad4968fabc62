import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { Passkey } from '../../domain/credentials.ts'
import type { SignInKind } from '../../domain/session.ts'
import { toName } from '../../domain/text-bounds.ts'
import type { User } from '../../domain/user.ts'
import { type Browser, type Identity, userActor } from './identity.ts'
import { requireProof, storeProof } from './prove-again.ts'
import { recordOf } from './record.ts'
import { signInMs } from './second-factor-step.ts'
import type { SignedIn } from './second-factors.ts'
import { type StartedSession, startSession } from './start-session.ts'

/** Loads the library at its first use: loading takes longer than all other modules of the thread together. */
const webAuthn = () => import('@simplewebauthn/server')

/** The site for which passkeys are made (WebAuthn: relying party). */
export interface PasskeySite {
  /** Host name; passkeys do not work for IP addresses. */
  readonly id: string
  readonly origins: readonly string[]
}

/** Options for the browser, and the ticket that it returns with its answer. */
export interface PasskeyStep<O> {
  readonly ticket: string
  readonly options: O
}

/** Starts to add a passkey. It verifies its user, so it replaces password and second factor. */
export async function startPasskey(
  stores: Identity,
  { session, user }: SignedIn,
  site: PasskeySite,
): Promise<PasskeyStep<PublicKeyCredentialCreationOptionsJSON> | AdminFault> {
  const fault = requireProof(stores, session)
  if (fault) return fault
  const known = await stores.people.credentials.passkeys(user.id)
  const options = await (await webAuthn()).generateRegistrationOptions({
    rpName: 'Periplus',
    rpID: site.id,
    userName: user.email,
    supportedAlgorithmIDs: [...algorithms],
    userID: new TextEncoder().encode(user.id),
    excludeCredentials: known.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return { ticket: await keepChallenge(stores, 'new_passkey', options.challenge, user.id), options }
}

/** Adds a passkey by the answer of the browser. */
export async function addPasskey(
  stores: Identity,
  { user, browser }: SignedIn,
  site: PasskeySite,
  { ticket, response, name }: { readonly ticket: string; readonly response: unknown; readonly name: string },
): Promise<Passkey | AdminFault> {
  const open = await takeChallenge(stores, 'new_passkey', ticket)
  if (open?.userId !== user.id) return adminFault('sign_in_ended', [], {})
  const verified = await (await webAuthn())
    .verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      supportedAlgorithmIDs: [...algorithms],
      ...expectationOf(open.challenge, site),
    })
    .catch(() => undefined)
  if (!verified?.verified) return adminFault('sign_in_refused', ['response'], {})
  const { id, publicKey, counter } = verified.registrationInfo.credential
  const passkey: Passkey = {
    id,
    userId: user.id,
    publicKey: Buffer.from(publicKey),
    counter,
    name: toName(name) || 'Passkey',
    createdMs: stores.clock.nowMs(),
  }
  const actor = userActor(user, browser)
  const record = recordOf(stores.clock, actor, { action: 'user.passkey', target: user.id, after: { passkey: id } })
  const isNew = await stores.people.credentials.addPasskey(passkey, record)
  return isNew ? passkey : adminFault('sign_in_refused', ['response'], {})
}

/**
 * EdDSA, ES256 and RS256 (COSE). The library would also probe experimental algorithms of Node, which prints a warning.
 */
const algorithms = [-8, -7, -257] as const

/** Removes a passkey of the user. */
export async function removePasskey(
  stores: Identity,
  { session, user, browser }: SignedIn,
  { id }: { readonly id: string },
): Promise<{ readonly removed: boolean } | AdminFault> {
  const fault = requireProof(stores, session)
  if (fault) return fault
  const actor = userActor(user, browser)
  const record = recordOf(stores.clock, actor, { action: 'user.passkey', target: user.id, before: { passkey: id } })
  return { removed: await stores.people.credentials.removePasskey(user.id, id, record) }
}

/** Starts a sign-in by passkey; the browser offers those that it has for the site. */
export async function startPasskeySignIn(
  stores: Identity,
  site: PasskeySite,
): Promise<PasskeyStep<PublicKeyCredentialRequestOptionsJSON>> {
  const options = await (await webAuthn()).generateAuthenticationOptions({
    rpID: site.id,
    userVerification: 'required',
  })
  return { ticket: await keepChallenge(stores, 'passkey', options.challenge), options }
}

/** The answer of a browser to the challenge of `startPasskeySignIn`. */
export interface PasskeyAnswer {
  readonly ticket: string
  readonly response: unknown
}

/** Signs a user in by the answer of a passkey. */
export async function signInByPasskey(
  stores: Identity,
  browser: Browser,
  site: PasskeySite,
  answer: PasskeyAnswer,
): Promise<StartedSession | AdminFault> {
  const user = await verifyAnswer(stores, site, answer)
  return isAdminFault(user) ? user : startSession(stores, user, browser, 'passkey')
}

/** Proves by the answer of a passkey that the user of a session is still there; the proof counts for ten minutes. */
export async function proveByPasskey(
  stores: Identity,
  { session, user }: Pick<SignedIn, 'session' | 'user'>,
  site: PasskeySite,
  answer: PasskeyAnswer,
): Promise<{ readonly proved: true } | AdminFault> {
  const holder = await verifyAnswer(stores, site, answer)
  if (isAdminFault(holder)) return holder
  if (holder.id !== user.id) return adminFault('sign_in_refused', [], {})
  await storeProof(stores, session)
  return { proved: true }
}

/** Returns the user whose passkey signed the challenge. */
async function verifyAnswer(
  stores: Identity,
  site: PasskeySite,
  { ticket, response }: PasskeyAnswer,
): Promise<User | AdminFault> {
  const open = await takeChallenge(stores, 'passkey', ticket)
  if (!open) return adminFault('sign_in_ended', [], {})
  const answer = response as Partial<AuthenticationResponseJSON> | null | undefined
  const passkey = typeof answer?.id === 'string' ? await stores.people.credentials.passkey(answer.id) : undefined
  const user = passkey && (await stores.people.users.get(passkey.userId))
  if (!passkey || user?.state !== 'active') return adminFault('sign_in_refused', [], {})
  const { id, counter } = passkey
  const verified = await (await webAuthn())
    .verifyAuthenticationResponse({
      response: answer as AuthenticationResponseJSON,
      ...expectationOf(open.challenge, site),
      credential: { id, counter, publicKey: new Uint8Array(passkey.publicKey) },
    })
    .catch(() => undefined)
  if (!verified?.verified) return adminFault('sign_in_refused', [], {})
  await stores.people.credentials.usedPasskey(id, verified.authenticationInfo.newCounter)
  return user
}

const expectationOf = (challenge: string, { id, origins }: PasskeySite) => ({
  expectedChallenge: challenge,
  expectedOrigin: [...origins],
  expectedRPID: id,
  requireUserVerification: true,
})

interface Challenge {
  readonly challenge: string
  readonly userId?: string
}

async function keepChallenge(stores: Identity, kind: SignInKind, challenge: string, userId?: string): Promise<string> {
  const [ticket, nowMs] = [stores.opaque.create(), stores.clock.nowMs()]
  const data = JSON.stringify({ challenge, userId } satisfies { challenge: string; userId: string | undefined })
  await stores.people.signIns.add({ kind, data, expiresMs: nowMs + signInMs }, stores.opaque.digest(ticket), nowMs)
  return ticket
}

async function takeChallenge(stores: Identity, kind: SignInKind, ticket: string): Promise<Challenge | undefined> {
  const open = await stores.people.signIns.take(stores.opaque.digest(ticket), kind, stores.clock.nowMs())
  return open && (JSON.parse(open.data) as Challenge)
}
