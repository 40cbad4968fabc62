import type { Actor } from '../../domain/actor.ts'
import { listUsers } from '../../usecases/admin/list-users.ts'
import type { Html } from '../../web/html.ts'
import type { ManagementContext } from '../context.ts'
import type { PageRequest } from '../pages/page-route.ts'
import { actorText } from '../shared/timeline.ts'

/** Returns the name of an actor and the interface that it used. */
export type ActorNames = (actor: Pick<Actor, 'id' | 'via'>) => Html

/** Reads the names of all users, and returns the function that names actors. */
export async function readActorNames({ identity }: ManagementContext, { actor }: PageRequest): Promise<ActorNames> {
  const users = await listUsers(identity, actor, {})
  return named => actorText(named, users)
}
