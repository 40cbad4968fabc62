import type { JsonObject } from '../kit/json.ts'
import type { ChangeRecord } from './change-record.ts'
import type { EventDraft, EventType } from './event.ts'
import type { Job, JobEnd } from './job.ts'

/** Members of a result that the record repeats. */
const countNames = ['read', 'added', 'changed', 'unchanged', 'removed', 'rejected', 'files', 'bytes'] as const

/**
 * Returns the record of the end of a job; undefined for work that changes nothing: a verification, a scan and a dry
 * run. The events are for staff. A cancelled job causes none.
 */
export function recordOfEnd(job: Job, end: JobEnd, atMs: number): ChangeRecord | undefined {
  const { id, kind, actor, request } = job
  if (kind === 'verify' || kind === 'scan' || request.dry_run === true) return undefined
  const after = { state: end.state, ...countsOf(end.result), ...(end.failure && { code: end.failure.fault }) }
  const type = eventOf(job, end)
  const event = (eventType: EventType): EventDraft => ({
    type: eventType,
    atMs,
    data: { job: id, ...sourceOf(request), ...after },
    uniqueKey: `${eventType} ${id}`,
  })
  return { audit: { atMs, actor, action: `${kind}.run`, target: id, after }, ...(type && { events: [event(type)] }) }
}

function eventOf({ kind }: Job, { state }: JobEnd): EventType | undefined {
  if (state === 'cancelled') return undefined
  if (kind === 'import') return state === 'done' ? 'import.finished' : 'import.failed'
  return kind === 'backup' && state === 'failed' ? 'backup.failed' : undefined
}

const sourceOf = ({ source }: JsonObject): JsonObject => (source === undefined ? {} : { source })

const countsOf = (result: JsonObject = {}): JsonObject =>
  Object.fromEntries(countNames.flatMap(name => (typeof result[name] === 'number' ? [[name, result[name]]] : [])))
