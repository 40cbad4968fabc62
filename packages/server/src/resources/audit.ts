import type { StoredAuditLine } from '../domain/audit-log.ts'
import { dateTime, Type } from '../kit/json-schema.ts'
import { closedObject, formatDateTime, type Resource } from './schema.ts'

const change = () => Type.Optional(Type.Record(Type.String(), Type.Unknown()))

export const auditLineSchema = closedObject({
  seq: Type.Integer({ minimum: 1 }),
  at: dateTime(),
  actor_kind: Type.Enum(['user', 'token', 'cli', 'system']),
  actor_id: Type.String(),
  via: Type.Enum(['portal', 'api', 'cli', 'system']),
  address: Type.Optional(Type.String()),
  partner_id: Type.Optional(Type.String()),
  action: Type.String(),
  target: Type.String(),
  /** The members that differ; `true` for a name, e-mail address, text or secret that changed. */
  before: change(),
  after: change(),
  request_id: Type.Optional(Type.String()),
})
export type AuditLineResource = Resource<typeof auditLineSchema>

/** Presents a line of the audit. */
export const auditLineResource = ({ seq, atMs, actor, ...line }: StoredAuditLine): AuditLineResource => ({
  seq,
  at: formatDateTime(atMs),
  actor_kind: actor.kind,
  actor_id: actor.id,
  via: actor.via,
  ...(actor.address !== undefined && { address: actor.address }),
  ...(line.partnerId !== undefined && { partner_id: line.partnerId }),
  action: line.action,
  target: line.target,
  ...(line.before && { before: { ...line.before } }),
  ...(line.after && { after: { ...line.after } }),
  ...(actor.requestId !== undefined && { request_id: actor.requestId }),
})

export const auditListSchema = closedObject({ audit: Type.Array(auditLineSchema) })

/** Presents lines of the audit. */
export const auditListResource = (lines: readonly StoredAuditLine[]): Resource<typeof auditListSchema> => ({
  audit: lines.map(auditLineResource),
})

/** Columns of the audit as CSV. */
export const auditColumns = Object.keys(auditLineSchema.properties) as (keyof AuditLineResource)[]

/** Presents a line of the audit as cells in the order of `auditColumns`; changes are JSON. */
export function auditCells(line: StoredAuditLine): (string | number | undefined)[] {
  const resource = auditLineResource(line)
  return auditColumns.map(name => {
    const value = resource[name]
    return typeof value === 'object' ? JSON.stringify(value) : value
  })
}
