import type { VersionUse } from '../domain/account.ts'
import type { Actor } from '../domain/actor.ts'
import { openEnd } from '../domain/ledger.ts'
import type { UsageReports } from '../domain/usage-report.ts'
import type { Clock } from '../kit/clock.ts'
import { reportUsage } from '../usecases/admin/report-usage.ts'
import type { KeyQuery, KeyQueryResult } from './queries-thread.ts'

const dayMs = 86_400_000
/** Period of the versions that a key has used, in days. */
const versionDays = 30

const actor: Actor = { kind: 'system', id: 'account', via: 'api' }

interface UsageParts {
  readonly usage: UsageReports
  readonly clock: Clock
}

/** Answers a query about one key. */
export async function answerKeyQuery(stores: UsageParts, query: KeyQuery): Promise<KeyQueryResult> {
  const { keyId } = query
  return query.read === 'versions' ? readVersions(stores, keyId) : reportUsage(stores, actor, { ...query.query, keyId })
}

async function readVersions({ usage, clock }: UsageParts, keyId: string): Promise<VersionUse[]> {
  // Whole days need no records of the journal.
  const today = Math.floor(clock.nowMs() / dayMs) * dayMs
  const period = { fromMs: today - versionDays * dayMs, toMs: openEnd, keyId }
  const { rows } = await usage.report(period, ['version'], 'UTC')
  return rows.map(({ version, calls }) => ({ version: String(version), calls }))
}
