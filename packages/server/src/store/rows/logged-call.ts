import type { LoggedCall } from '../../domain/request-log.ts'
import type { RecordedFault, UsageRecord } from '../../domain/usage.ts'
import { readUuid } from '../../kit/uuid.ts'

/** The columns of a failed call, null for a served one. */
export interface FaultColumns {
  readonly fault: string | null
  readonly fields: string | null
  readonly refused: string | null
  /** LoggedFacts as JSON. */
  readonly facts: string | null
}

/** A call of the request log as engines store it. */
export interface LoggedRow extends FaultColumns {
  readonly id: Buffer
  readonly time_ms: number
  readonly key: string
  readonly partner: string
  readonly operation: string
  readonly version: string
  readonly explicit: number
  readonly status: number
  readonly units: number
  readonly duration_us: number
}

/** The rarely needed members of a refused call. */
interface LoggedFacts {
  /** Revision of the key. */
  readonly revision?: number
  /** Seconds. */
  readonly retry_after?: number
  readonly cost?: number
  readonly strikes?: number
}

/** Returns the columns of a call that say why it failed. */
export const loggedColumns = (record: Pick<UsageRecord, 'fault' | 'refusedBy' | 'marks'>): FaultColumns => ({
  fault: record.fault?.code ?? null,
  fields: joinNames(record.fault?.fields ?? []),
  refused: joinNames(record.fault?.policies ?? record.refusedBy),
  facts: record.fault ? JSON.stringify(factsOf(record.fault, record)) : null,
})

const joinNames = (names: readonly string[]): string | null => (names.length === 0 ? null : names.join(','))

function factsOf(
  { keyRevision, retryAfterS, cost }: RecordedFault,
  { refusedBy, marks }: Pick<UsageRecord, 'refusedBy' | 'marks'>,
): LoggedFacts {
  const strikes = refusedBy.includes('penalty') ? Math.max(...marks.map(mark => mark.penalty?.strikes ?? 0)) : undefined
  return {
    revision: keyRevision,
    ...(retryAfterS !== undefined && { retry_after: retryAfterS }),
    ...(cost !== undefined && { cost }),
    ...(strikes !== undefined && { strikes }),
  }
}

/** Returns a call as the request log lists it. */
export function toLoggedCall(row: LoggedRow): LoggedCall {
  const { revision, retry_after, cost, strikes } = (row.facts === null ? {} : JSON.parse(row.facts)) as LoggedFacts
  const split = (text: string | null) => (text === null ? [] : text.split(','))
  return {
    requestId: readUuid(row.id),
    partnerId: row.partner,
    keyId: row.key,
    timeMs: row.time_ms,
    operation: row.operation,
    version: row.version,
    versionExplicit: row.explicit === 1,
    status: row.status,
    units: row.units,
    ...(row.fault !== null && { fault: row.fault }),
    fields: split(row.fields),
    policies: split(row.refused),
    ...(revision !== undefined && { keyRevision: revision }),
    ...(retry_after !== undefined && { retryAfterS: retry_after }),
    ...(cost !== undefined && { cost }),
    ...(strikes !== undefined && { strikes }),
    durationUs: row.duration_us,
  }
}
