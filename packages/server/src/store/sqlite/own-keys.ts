import { explorerKeyId, type OwnKeyCounts, ownKeyWindowMs } from '../../domain/own-key.ts'
import type { Sqlite } from '../connection.ts'

/** SQL condition: a user of a partner, who may no longer exist, caused this line of the audit. */
const isOfPartner = `actor_kind = 'user' AND (EXISTS (SELECT 1 FROM users u WHERE u.id = actor_id AND u.staff_role IS NULL)
  OR EXISTS (SELECT 1 FROM audit e
    WHERE e.target = audit.actor_id AND e.action = 'user.erase' AND e."before" ->> '$.staff' = 0))`

/** Returns the condition of a line of the audit that names a member. */
const names = (member: string): string => `coalesce("after" ->> '$.${member}', "before" ->> '$.${member}') IS NOT NULL`

/** Returns the condition of a key of `keys` that its partner revoked while it had bounds of the operator (R-91). */
function boundedSql(): string {
  const latest = (value: string, condition: string) =>
    `(SELECT ${value} FROM audit WHERE target = keys.id AND ${condition} ORDER BY seq DESC LIMIT 1)`
  const isSet = (member: string, condition = 'true') =>
    `coalesce(${latest(`"after" ->> '$.${member}'`, `${names(member)} AND NOT (${isOfPartner}) AND ${condition}`)}, '{}')
       NOT IN ('{}', '[]')`
  const bounds = [
    latest(
      `"after" ->> '$.state' = 'disabled' AND NOT (${isOfPartner})`,
      `${names('state')} AND action <> 'key.revoke'`,
    ),
    ...['expires_ms', 'scope', 'networks'].map(member => isSet(member)),
    // A new key has an agreement and a package in any case; only a change of them is a bound.
    ...['agreement', 'package'].map(member => isSet(member, "action = 'key.change'")),
  ]
  const isRevokedByPartner = latest(isOfPartner, "action = 'key.revoke'")
  // A missing line is NULL, which counts as false.
  return `coalesce(${isRevokedByPartner} AND (${bounds.map(bound => `coalesce(${bound}, 0)`).join(' OR ')}), 0)`
}

/** Returns functions that read the facts about the keys that a partner makes itself. */
export function ownKeyReads(control: Sqlite): {
  countOwn(partnerId: string, test: boolean, nowMs: number): OwnKeyCounts
  stateSetBy(id: string): 'partner' | 'operator'
  operatorEnd(id: string): number | undefined
} {
  const isBounded = boundedSql()
  const counts = control.prepare<[{ partner: string; test: number; since: number; explorer: string }], OwnKeyCounts>(
    `SELECT count(*) FILTER (WHERE state <> 'revoked') AS held,
       count(*) FILTER (WHERE created_ms > @since) AS made,
       count(*) FILTER (WHERE state = 'revoked' AND ${isBounded}) AS bounded,
       count(*) FILTER (WHERE state = 'revoked' AND NOT ${isBounded} AND EXISTS (
         SELECT 1 FROM audit WHERE target = keys.id AND action = 'key.revoke' AND at > @since)) AS ended
     FROM keys WHERE partner_id = @partner AND test = @test AND id <> @explorer`,
  )
  const setter = control
    .prepare<[string], 1 | 0>(
      `SELECT ${isOfPartner} FROM audit WHERE target = ? AND ${names('state')} ORDER BY seq DESC LIMIT 1`,
    )
    .pluck()
  const end = control
    .prepare<[string], number | null>(
      `SELECT "after" ->> '$.expires_ms' FROM audit
       WHERE target = ? AND ${names('expires_ms')} AND NOT (${isOfPartner}) ORDER BY seq DESC LIMIT 1`,
    )
    .pluck()
  return {
    countOwn: (partner, test, nowMs) =>
      counts.get({ partner, test: test ? 1 : 0, since: nowMs - ownKeyWindowMs, explorer: explorerKeyId(partner) })!,
    stateSetBy: id => (setter.get(id) === 1 ? 'partner' : 'operator'),
    operatorEnd: id => end.get(id) ?? undefined,
  }
}
