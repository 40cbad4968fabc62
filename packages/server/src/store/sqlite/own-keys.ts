import { explorerKeyId, type OwnKeyCounts, ownKeyWindowMs } from '../../domain/own-key.ts'
import type { Sqlite } from '../connection.ts'

/** Returns functions that read the facts about the keys that a partner makes itself. */
export function ownKeyReads(control: Sqlite): {
  countOwn(partnerId: string, test: boolean, nowMs: number): OwnKeyCounts
  stateSetBy(id: string): 'partner' | 'operator'
  operatorEnd(id: string): number | undefined
} {
  const counts = control.prepare<[{ partner: string; test: number; since: number; explorer: string }], OwnKeyCounts>(
    `SELECT count(*) FILTER (WHERE state <> 'revoked') AS held,
       count(*) FILTER (WHERE created_ms > @since) AS made,
       count(*) FILTER (WHERE state = 'revoked' AND EXISTS (
         SELECT 1 FROM audit WHERE target = keys.id AND action = 'key.revoke' AND at > @since)) AS ended
     FROM keys WHERE partner_id = @partner AND test = @test AND id <> @explorer`,
  )
  const isOfPartner =
    "actor_kind = 'user' AND EXISTS (SELECT 1 FROM users u WHERE u.id = actor_id AND u.staff_role IS NULL)"
  const names = (member: string) => `coalesce("after" ->> '$.${member}', "before" ->> '$.${member}') IS NOT NULL`
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
      counts.get({
        ...{ partner, test: test ? 1 : 0 },
        ...{ since: nowMs - ownKeyWindowMs, explorer: explorerKeyId(partner) },
      })!,
    stateSetBy: id => (setter.get(id) === 1 ? 'partner' : 'operator'),
    operatorEnd: id => end.get(id) ?? undefined,
  }
}
