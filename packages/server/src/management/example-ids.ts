import type { Id } from '../domain/id.ts'
import type { LiveState } from '../domain/live-state.ts'
import type { Scope } from '../domain/scope.ts'
import type { Clock } from '../kit/clock.ts'
import { findExampleIds } from '../usecases/admin/find-example-places.ts'

/** Time for which the places of a scope are kept, in microseconds: a query over the world may take long. */
const keptUs = 600_000_000
/** Number of scopes whose places are kept. */
const maxScopes = 100

/** Returns a function that finds well-known places in a scope, and keeps their ids for ten minutes. */
export function createExampleIds(
  live: Pick<LiveState, 'nearby'>,
  clock: Clock,
): (scope: Scope) => Promise<readonly Id[]> {
  const kept = new Map<string, { readonly ids: readonly Id[]; readonly untilUs: number }>()
  return async scope => {
    const name = JSON.stringify(scope)
    const known = kept.get(name)
    if (known && clock.monotonicUs() < known.untilUs) return known.ids
    const ids = await findExampleIds(live, scope)
    if (kept.size >= maxScopes) kept.clear()
    if (ids.length > 0) kept.set(name, { ids, untilUs: clock.monotonicUs() + keptUs })
    return ids
  }
}
