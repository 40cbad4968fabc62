import type { Actor } from '../../../domain/actor.ts'
import { isAdminFault } from '../../../domain/admin-fault.ts'
import { autocompleteOperation, searchOperations } from '../../../domain/operation.ts'
import type { Permission } from '../../../domain/package.ts'
import { dayMs, startOfUtcDay } from '../../../kit/time.ts'
import { reportUsage } from '../../../usecases/admin/report-usage.ts'
import type { ManagementContext } from '../../context.ts'

/** Calls of a key that were refused in the last 30 days. */
export interface Refusals {
  /** By the limits of search (429), of autocomplete, and of the package. */
  readonly search: number
  readonly autocomplete: number
  readonly other: number
  /** By a missing permission (403). */
  readonly byPermission: ReadonlyMap<Permission, number>
}

/** Counts the refused calls of a key. */
export async function refusalsOf(
  { usage, requests }: Pick<ManagementContext, 'usage' | 'requests'>,
  actor: Actor,
  keyId: string,
  nowMs: number,
): Promise<Refusals> {
  const report = await reportUsage(usage, actor, {
    keyId,
    fromMs: startOfUtcDay(nowMs - 30 * dayMs),
    by: ['operation', 'status'],
  })
  const byPermission = new Map<Permission, number>()
  let [search, autocomplete, other] = [0, 0, 0]
  for (const { operation, status, calls } of isAdminFault(report) ? [] : report.rows) {
    const name = String(operation)
    if (status === 429 && searchOperations.includes(name)) search += calls
    else if (status === 429 && name === autocompleteOperation) autocomplete += calls
    else if (status === 429) other += calls
    if (status !== 403) continue
    const { permission } = requests.routeOf({ operation: name, version: '' })
    byPermission.set(permission, (byPermission.get(permission) ?? 0) + calls)
  }
  return { search, autocomplete, other, byPermission }
}
