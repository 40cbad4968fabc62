import type { JsonObject } from '../kit/json.ts'
import type { Actor } from './actor.ts'

/**
 * A line of the audit: one change of what an operator or partner administers. Contains no secret, text, name or e-mail
 * address: such a member is `true`, which means that it was changed.
 */
export interface AuditLine {
  /** Milliseconds since 1970. */
  readonly atMs: number
  readonly actor: Actor
  /** Resource and verb, as in `key.create`. */
  readonly action: string
  /** Id of the changed resource. */
  readonly target: string
  /** The partner whose resource was changed; missing for resources of the operator. */
  readonly partnerId?: string
  /** The members that differ, before and after the change. */
  readonly before?: JsonObject
  readonly after?: JsonObject
}
