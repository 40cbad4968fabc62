import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { StoredAuditLine } from '../../domain/audit-log.ts'
import { explain } from '../../domain/explanation.ts'
import type { Explanation, ExplanationTerms } from '../../domain/explanation-terms.ts'
import { type FaultCode, faults } from '../../domain/fault.ts'
import type { Key } from '../../domain/key.ts'
import type { RefusalHour, RefusalPage } from '../../domain/refusal-hours.ts'
import { everything } from '../../domain/visibility.ts'
import type { Requests } from './find-request.ts'
import { countRefusals, type RefusalListInput } from './list-requests.ts'

/** Refused calls of a key in one hour, with the reason. */
export interface ExplainedRefusal extends RefusalHour {
  readonly explanation: Explanation
}

/** A page of refusals before metering. */
export interface ExplainedRefusalPage extends RefusalPage {
  readonly rows: readonly ExplainedRefusal[]
}

/** Counts refusals before metering, as countRefusals does, and explains them. */
export async function listRefusals(
  parts: Requests,
  actor: Actor,
  input: RefusalListInput,
): Promise<ExplainedRefusalPage | AdminFault> {
  const page = await countRefusals(parts, actor, input)
  return isAdminFault(page) ? page : { ...page, rows: await explainRefusals(parts, page.rows) }
}

/**
 * Explains refusals before metering by the current state of the key. If a change of the key caused them, the
 * explanation has the time and the author of the change.
 */
export async function explainRefusals(parts: Requests, rows: readonly RefusalHour[]): Promise<ExplainedRefusal[]> {
  const keys = new Map<string, Key | undefined>()
  const explained: ExplainedRefusal[] = []
  for (const row of rows) {
    if (!keys.has(row.keyId)) keys.set(row.keyId, await parts.keys.key(row.keyId, everything))
    const key = keys.get(row.keyId)
    // Keys are never deleted, so every refusal has an explanation.
    if (key) explained.push({ ...row, explanation: await explainRefusal(parts, key, row) })
  }
  return explained
}

async function explainRefusal(parts: Requests, key: Key, row: RefusalHour): Promise<Explanation> {
  const { version, lastMs: timeMs } = row
  const fault = row.code as FaultCode
  const changed = await findChange(parts, key, fault, timeMs)
  const call = {
    timeMs,
    operation: '',
    version,
    status: faults[fault].status,
    units: 0,
    fault,
    fields: [],
    policies: [],
  }
  const terms = { key, limits: parts.limitsOf(key), packageTable: parts.packageTable, ...(changed && { changed }) }
  return explain(call, terms, parts.routeOf(call))
}

/** Actions of the audit after which a key is refused. Closing a partner revokes its keys. */
const causes: Partial<Readonly<Record<FaultCode, readonly string[]>>> = {
  key_disabled: ['key.disable'],
  key_revoked: ['key.revoke', 'partner.close'],
  key_expired: ['key.rotate', 'key.end_secret'],
}

/** Finds the change that made the service refuse a key. */
async function findChange(
  { audit, isOfPartner }: Requests,
  key: Key,
  fault: FaultCode,
  lastMs: number,
): Promise<ExplanationTerms['changed']> {
  const found: StoredAuditLine[] = []
  for (const action of causes[fault] ?? []) {
    const target = action === 'partner.close' ? key.partnerId : key.id
    const { lines } = await audit.list({ visibility: everything, target, action, toMs: lastMs + 1, limit: 1 })
    found.push(...lines)
  }
  const line = found.sort((a, b) => b.seq - a.seq)[0]
  return line && { atMs: line.atMs, by: (await isOfPartner(line.actor)) ? 'the partner' : 'the operator' }
}
