import { openConfiguredEngine } from '../../src/compose/engine.ts'
import { composeManagementContext } from '../../src/compose/management-context.ts'
import type { Config } from '../../src/config/load.ts'
import { isAdminFault } from '../../src/domain/admin-fault.ts'
import type { LiveState } from '../../src/domain/live-state.ts'
import type { Session } from '../../src/domain/session.ts'
import { noFactors, type User } from '../../src/domain/user.ts'
import { createLog } from '../../src/kit/log.ts'
import type { ManagementContext } from '../../src/management/context.ts'
import { startSession } from '../../src/usecases/admin/start-session.ts'
import { record } from '../record.ts'

/** Returns the result of a use case; throws its fault. */
export const done = <T extends object>(outcome: T): Exclude<T, { readonly fault: string }> => {
  if (isAdminFault(outcome)) throw new Error(outcome.fault)
  return outcome as Exclude<T, { readonly fault: string }>
}

const refuse = () => Promise.reject(new Error('No state of another process is read.'))

/**
 * Opens the store of a configuration and composes what pages need, without a serving process. A minute passes with each
 * request, so that rates never decide.
 */
export function openPages(config: Config, live: Partial<LiveState> = {}) {
  const engine = openConfiguredEngine(config, { create: true })
  const composed = composeManagementContext(
    engine,
    { config, sources: new Map() },
    {
      address: { publicUrl: 'http://localhost' },
      serviceUrl: 'http://localhost',
      live: {
        status: async () => ({ ready: true, reasons: [], notes: [] }),
        ...{ measures: refuse, limitsOf: refuse, forgive: refuse, downloadsOf: async () => [] },
        ...{ search: async () => undefined, nearby: async () => undefined, ...live },
      },
      log: createLog('silent').log,
    },
  )
  let monotonicUs = 0
  const passing = { ...composed.clock, monotonicUs: () => (monotonicUs += 60_000_000) }
  const context: ManagementContext = { ...composed, clock: passing }
  return { engine, composed, context }
}

/** Adds a user with an id and e-mail address made of `name`. */
export async function addUser(
  { identity: { people } }: Pick<ManagementContext, 'identity'>,
  name: string,
  rights: Pick<User, 'staffRole' | 'memberships'>,
): Promise<User> {
  const user: User = {
    ...{ id: `user_${name}`, email: `${name}@example.org`, name: `The ${name}`, ...rights },
    ...{ state: 'active', factors: noFactors, createdMs: 1, revision: 1 },
  }
  await people.users.create(user, record())
  return user
}

/** Starts a session of a user, who has just proved who they are. */
export async function startCookie(
  { identity }: Pick<ManagementContext, 'identity'>,
  user: User,
): Promise<{ readonly cookie: string; readonly session: Session }> {
  const browser = { requestId: 'r', address: '::1' }
  const { token, session } = await startSession(identity, user, browser, 'password')
  return { cookie: `periplus=${token}`, session }
}
