import type { KeyAdmin } from '../../domain/key-stores.ts'
import { explorerKeyId, type OwnKeyCounts, ownKeyWindowMs } from '../../domain/own-key.ts'
import type { JsonObject } from '../../kit/json.ts'
import { all, type JsonColumns, type SqlDatabase, type SqlWork } from './database.ts'

interface LineRow {
  target: string
  action: string
  at: number
  before: string | null
  after: string | null
  of_member: number | boolean
  erased: string | null
}

/** A line of the audit about a key. */
interface Line {
  readonly keyId: string
  readonly action: string
  readonly atMs: number
  /** True if a user of a partner, who may no longer exist, caused it. */
  readonly isOfPartner: boolean
  readonly before: JsonObject
  readonly after: JsonObject
}

/** Reads the lines of the audit about keys, the latest first; `keys` selects their ids. */
function* readLines(db: JsonColumns, keys: string, params: Readonly<Record<string, string | number>>): SqlWork<Line[]> {
  const rows = yield* all<LineRow>(
    `SELECT target, action, at, "before", "after", actor_kind = 'user' AND EXISTS (
       SELECT 1 FROM users u WHERE u.id = actor_id AND u.staff_role IS NULL) AS of_member,
       CASE WHEN actor_kind = 'user' THEN (
         SELECT max(e."before") FROM audit e WHERE e.target = audit.actor_id AND e.action = 'user.erase') END AS erased
     FROM audit WHERE target IN (${keys}) ORDER BY seq DESC`,
    params,
  )
  const parse = (text: string | null) => (text === null ? {} : db.parseJson<JsonObject>(text))
  return rows.map(({ target, action, at, before, after, of_member, erased }) => ({
    keyId: target,
    action,
    atMs: at,
    isOfPartner: Boolean(of_member) || parse(erased).staff === false,
    before: parse(before),
    after: parse(after),
  }))
}

/** Returns true if a line names a member. */
const names = ({ before, after }: Line, member: string): boolean => (after[member] ?? before[member] ?? null) !== null

/** Returns true for a value other than an empty object or list. */
const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && !(typeof value === 'object' && Object.keys(value).length === 0)

/** Returns true for a key that its partner revoked while it had bounds of the operator. */
function isBounded(lines: readonly Line[]): boolean {
  if (!lines.find(({ action }) => action === 'key.revoke')?.isOfPartner) return false
  const state = lines.find(line => names(line, 'state') && line.action !== 'key.revoke')
  if (state?.after.state === 'disabled' && !state.isOfPartner) return true
  const isSetByOperator = (member: string, of: readonly Line[]) =>
    isSet(of.find(line => !line.isOfPartner && names(line, member))?.after[member])
  // A new key has an agreement and a package in any case; only a change of them is a bound.
  const changes = lines.filter(({ action }) => action === 'key.change')
  return (
    ['expires_ms', 'scope', 'networks'].some(member => isSetByOperator(member, lines)) ||
    ['agreement', 'package'].some(member => isSetByOperator(member, changes))
  )
}

/** Counts the keys that a partner makes itself. */
export function* countOwnKeys(db: JsonColumns, partner: string, test: boolean, nowMs: number): SqlWork<OwnKeyCounts> {
  const selected = 'FROM keys WHERE partner_id = @partner AND test = @test AND id <> @explorer'
  const params = { partner, test: Number(test), explorer: explorerKeyId(partner) }
  const keys = yield* all<{ id: string; state: string; created_ms: number }>(
    `SELECT id, state, created_ms ${selected}`,
    params,
  )
  const lines = yield* readLines(db, `SELECT id ${selected} AND state = 'revoked'`, params)
  const byKey = Map.groupBy(lines, ({ keyId }) => keyId)
  const sinceMs = nowMs - ownKeyWindowMs
  const revoked = keys.filter(({ state }) => state === 'revoked')
  const [bounded, others] = [true, false].map(wanted =>
    revoked.filter(({ id }) => isBounded(byKey.get(id) ?? []) === wanted),
  ) as [typeof keys, typeof keys]
  const isEnded = ({ id }: { id: string }) =>
    byKey.get(id)?.some(({ action, atMs }) => action === 'key.revoke' && atMs > sinceMs) === true
  return {
    held: keys.length - revoked.length,
    made: keys.filter(({ created_ms }) => created_ms > sinceMs).length,
    bounded: bounded.length,
    ended: others.filter(isEnded).length,
  }
}

/** Opens the facts about the keys that a partner makes itself. */
export function createOwnKeyReads(db: SqlDatabase): Pick<KeyAdmin, 'ownKeys' | 'stateSetBy' | 'operatorEnd'> {
  const linesOf = (id: string) => db.perform(readLines(db, '@id', { id }))
  return {
    ownKeys: (partnerId, test, nowMs) => db.perform(countOwnKeys(db, partnerId, test, nowMs)),
    stateSetBy: async id =>
      (await linesOf(id)).find(line => names(line, 'state'))?.isOfPartner ? 'partner' : 'operator',
    operatorEnd: async id => {
      const line = (await linesOf(id)).find(found => !found.isOfPartner && names(found, 'expires_ms'))
      return (line?.after.expires_ms as number | undefined | null) ?? undefined
    },
  }
}
