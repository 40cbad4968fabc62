import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { LoggedCall, RequestLog } from '../../domain/request-log.ts'
import { countRefusals, listRequests } from './list-requests.ts'

/** The refused and failed calls with one cause. */
export interface CauseCount {
  /** Code of the fault; missing for calls of earlier releases. */
  readonly fault?: string
  readonly status?: number
  /** The violated policies, as `RateLimit-Policy` sends them. */
  readonly policies: readonly string[]
  readonly calls: number
  readonly lastMs: number
  /** True for calls that were refused before metering and are in no list of requests. */
  readonly isUnmetered: boolean
}

/** Causes of refused calls, the most frequent first. */
export interface CauseCounts {
  readonly causes: readonly CauseCount[]
  /** Time of the oldest counted call, in milliseconds since 1970; set if older calls were left out. */
  readonly sinceMs?: number
}

/** Number of refused calls that are counted. */
const maxCounted = 500
/** Number of rows of refusals before metering that are added up. */
const maxRefusalRows = 200

/** Counts the newest refused and failed calls by cause: those of a partner, or all that the actor may see. */
export async function countCauses(
  stores: { readonly requests: RequestLog },
  actor: Actor,
  input: { readonly partnerId?: string; readonly fromMs: number },
): Promise<CauseCounts | AdminFault> {
  const page = await listRequests(stores, actor, { ...input, statusFrom: 400, statusTo: 599, limit: maxCounted })
  if (isAdminFault(page)) return page
  const refusals = await countRefusals(stores, actor, { ...input, limit: maxRefusalRows })
  if (isAdminFault(refusals)) return refusals
  const metered = [...Map.groupBy(page.rows, causeId).values()].map(([first, ...others]) => ({
    ...(first!.fault !== undefined && { fault: first!.fault }),
    status: first!.status,
    policies: first!.policies,
    calls: others.length + 1,
    lastMs: first!.timeMs,
    isUnmetered: false,
  }))
  const unmetered = [...Map.groupBy(refusals.rows, ({ code }) => code)].map(([fault, rows]) => ({
    fault,
    policies: [],
    isUnmetered: true,
    calls: rows.reduce((sum, { calls }) => sum + calls, 0),
    lastMs: Math.max(...rows.map(({ lastMs }) => lastMs)),
  }))
  return {
    causes: [...metered, ...unmetered].sort((a, b) => b.calls - a.calls),
    ...(page.next !== undefined && { sinceMs: page.rows.at(-1)!.timeMs }),
  }
}

/** Returns the id of the cause of a call. Limits are compared by name, not by value. */
const causeId = ({ fault, status, policies }: LoggedCall): string =>
  [fault, status, ...policies.map(policy => policy.split(';')[0])].join(' ')
