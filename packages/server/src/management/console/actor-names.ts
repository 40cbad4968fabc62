import type { Actor } from '../../domain/actor.ts'
import { listUsers } from '../../usecases/admin/list-users.ts'
import { type Html, html } from '../../web/html.ts'
import type { ManagementContext } from '../context.ts'
import type { PageRequest } from '../pages/page-route.ts'
import { actorName } from '../shared/timeline.ts'

/** Returns who did something, and through which interface. */
export type ActorNames = (actor: Pick<Actor, 'id' | 'via'>) => Html

/** Reads the names of all users. */
export async function readActorNames({ identity }: ManagementContext, { actor }: PageRequest): Promise<ActorNames> {
  const users = await listUsers(identity, actor, {})
  return ({ id, via }) => html`${actorName(id, users)} <span class="quiet">(${via})</span>`
}
