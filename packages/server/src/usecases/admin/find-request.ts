import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { AuditLog } from '../../domain/audit-log.ts'
import { explain } from '../../domain/explanation.ts'
import type { ExplainedLimits, ExplainedRequest, ExplanationRoute } from '../../domain/explanation-terms.ts'
import type { Key } from '../../domain/key.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import type { PackageTable } from '../../domain/package.ts'
import type { LoggedCall, RequestLog } from '../../domain/request-log.ts'
import { visibilityOf } from '../../domain/visibility.ts'
import { formatUtc } from '../../kit/time.ts'
import { findTermsAt } from './key-terms-at.ts'

/** Dependencies of the use cases for the request log. */
export interface Requests {
  readonly requests: RequestLog
  readonly keys: KeyAdmin
  readonly audit: AuditLog
  readonly packageTable: PackageTable
  /** Returns the effective limits of a key. */
  limitsOf(key: Key): ExplainedLimits
  /** Returns what the service offers at the endpoint of a call. */
  routeOf(call: Pick<LoggedCall, 'operation' | 'version'>): ExplanationRoute
  /** Returns true for a user or token of a partner, and false for those of the operator. */
  isOfPartner(actor: Actor): Promise<boolean>
}

/** Finds a call by its request id and explains its response, by the terms that the key had at that time. */
export async function findRequest(
  parts: Requests,
  actor: Actor,
  { id }: { readonly id: string },
): Promise<ExplainedRequest | AdminFault> {
  const call = await parts.requests.find(id, visibilityOf(actor))
  const current = call && (await parts.keys.key(call.keyId, visibilityOf(actor)))
  if (!call || !current) return adminFault('request_unknown', ['id'], { request: id })
  const key = await findTermsAt(parts.audit, current, call)
  const limits = parts.limitsOf(key)
  const terms = { key, limits, packageTable: parts.packageTable }
  return { call, explanation: explain(call, terms, parts.routeOf(call)), key, limits }
}

/** Returns the facts of a call by name, for a text that a person reads or sends; undefined ones are left out. */
export const factsOfCall = ({ call, key }: ExplainedRequest): readonly (readonly [name: string, value: string])[] => {
  const facts: readonly (readonly [string, string | number | undefined])[] = [
    ['request', call.requestId],
    ['time', formatUtc(call.timeMs)],
    ['partner', call.partnerId],
    ['key', call.keyId],
    ['package', key.packageName],
    ['operation', call.operation],
    ['version', `${call.version}${call.versionExplicit ? '' : ' (default)'}`],
    ['status', call.status],
    ['units', call.units],
    ['error', call.fault],
    ['parameters', call.fields.length === 0 ? undefined : call.fields.join(', ')],
    ['limits', call.policies.length === 0 ? undefined : call.policies.join(', ')],
    ['duration', `${call.durationUs / 1000} ms`],
  ]
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const]))
}
