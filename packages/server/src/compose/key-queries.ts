import type { AccountCalls, VersionUse } from '../domain/account.ts'
import type { Actor } from '../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../domain/admin-fault.ts'
import type { ExplainedRequest } from '../domain/explanation-terms.ts'
import { openEnd } from '../domain/ledger.ts'
import type { UsageReports } from '../domain/usage-report.ts'
import type { Clock } from '../kit/clock.ts'
import { dayMs } from '../kit/time.ts'
import { findRequest, type Requests } from '../usecases/admin/find-request.ts'
import { listRequests, type RequestListInput } from '../usecases/admin/list-requests.ts'
import { reportUsage } from '../usecases/admin/report-usage.ts'
import type { KeyQuery, KeyQueryResult } from './queries-thread.ts'

/** Period of the versions that a key has used, in days. */
const versionDays = 30

/** Dependencies of the queries. */
interface KeyQueryParts {
  readonly usage: UsageReports
  readonly clock: Clock
  readonly requests: Requests
}

/** Answers a query about one key. */
export async function answerKeyQuery(stores: KeyQueryParts, query: KeyQuery): Promise<KeyQueryResult> {
  const { keyId, partnerId } = query
  const actor: Actor = { kind: 'system', id: 'account', via: 'api', partnerId }
  switch (query.read) {
    case 'versions':
      return readVersions(stores, keyId)
    case 'usage':
      return reportUsage(stores, actor, { ...query.query, keyId })
    case 'requests':
      return readCalls(stores.requests, actor, { ...query.query, keyId })
    case 'request':
      return readCall(stores.requests, actor, keyId, query.id)
  }
}

async function readCalls(
  requests: Requests,
  actor: Actor,
  input: RequestListInput,
): Promise<AccountCalls | AdminFault> {
  const page = await listRequests(requests, actor, input)
  if (isAdminFault(page)) return page
  const countedToMs = await requests.requests.countedToMs()
  return { ...page, ...(countedToMs !== undefined && { countedToMs }) }
}

/** Finds a call of the key; a call of another key of the partner is unknown. */
async function readCall(
  requests: Requests,
  actor: Actor,
  keyId: string,
  id: string,
): Promise<ExplainedRequest | AdminFault> {
  const found = await findRequest(requests, actor, { id })
  if (isAdminFault(found) || found.call.keyId === keyId) return found
  return adminFault('request_unknown', ['id'], { request: id })
}

async function readVersions({ usage, clock }: KeyQueryParts, keyId: string): Promise<VersionUse[]> {
  // Whole days need no records of the journal.
  const today = Math.floor(clock.nowMs() / dayMs) * dayMs
  const period = { fromMs: today - versionDays * dayMs, toMs: openEnd, keyId }
  const { rows } = await usage.report(period, ['version'], 'UTC')
  return rows.map(({ version, calls }) => ({ version: String(version), calls }))
}
