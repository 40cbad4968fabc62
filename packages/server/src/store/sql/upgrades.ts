import { applyKeyChange } from '../../domain/key.ts'
import {
  type ApprovedChange,
  type UpgradeAsk,
  type UpgradeDecision,
  type UpgradeRequest,
  type UpgradeSpan,
  type UpgradeState,
  type UpgradeStore,
  upgradeOrders,
} from '../../domain/upgrade.ts'
import type { Visibility } from '../../domain/visibility.ts'
import { changeAccess } from './access-change.ts'
import { writeRecord } from './change-record.ts'
import { get, type JsonColumns, run, type SqlDatabase, type SqlWork } from './database.ts'
import { swapKey } from './key-rows.ts'
import { mapPart, selectPart } from './list-query.ts'
import { swapPartner } from './partners.ts'
import { equals, isOneOf, isVisible, where } from './terms.ts'

interface UpgradeRow {
  id: string
  partner: string
  key: string | null
  kind: string
  asked: string
  reason: string
  state: string
  by: string
  at: number
  decided_by: string | null
  decided_at: number | null
  answer: string | null
  revision: number
}

/** Opens the upgrade requests. */
export const createUpgrades = (db: SqlDatabase): UpgradeStore => ({
  open: (request, record) =>
    changeAccess(db, record, function* () {
      const added = yield* run(
        `INSERT INTO upgrade_requests (id, partner, key, kind, asked, reason, state, by, at, revision)
         VALUES (@id, @partner, @key, @kind, @asked, @reason, @state, @by, @at, @revision) ON CONFLICT DO NOTHING`,
        columnsOf(request),
      )
      return added === 1
    }),
  get: async (id, visibility) => {
    const { sql, params } = where([...equals('id', 'id', id), ...isVisible('partner', visibility)])
    const row = await db.get<UpgradeRow>(`SELECT * FROM upgrade_requests ${sql}`, params)
    return row && upgradeOf(db, row)
  },
  list: async (visibility, state) => {
    const { sql, params } = where([...isVisible('partner', visibility), ...equals('state', 'state', state)])
    const rows = await db.all<UpgradeRow>(`SELECT * FROM upgrade_requests ${sql} ORDER BY at DESC, rowid DESC`, params)
    return rows.map(row => upgradeOf(db, row))
  },
  part: async (visibility, span) => mapPart(await selectUpgrades(db, visibility, span), row => upgradeOf(db, row)),
  decide: async (id, revision, decision, change, record) => {
    try {
      return await changeAccess(db, record, () => decide(db, { id, revision, decision, change }))
    } catch (error) {
      if (error instanceof StaleChange) return undefined
      throw error
    }
  },
})

const orders = {
  created: 'upgrade_requests.at',
  partner: '(SELECT lower(name) FROM partners WHERE id = upgrade_requests.partner)',
  kind: 'upgrade_requests.kind',
  state: 'upgrade_requests.state',
  decided: 'coalesce(upgrade_requests.decided_at, 0)',
}

const selectUpgrades = (db: SqlDatabase, visibility: Visibility, { states, partnerId, ...span }: UpgradeSpan) =>
  selectPart<UpgradeRow, keyof typeof orders>(db, {
    from: 'upgrade_requests',
    table: 'upgrade_requests',
    orders,
    byDefault: upgradeOrders.byDefault,
    span,
    conditions: [
      ...isVisible('partner', visibility),
      ...isOneOf('state', 'state', states),
      ...equals('partner', 'partner', partnerId),
    ],
  })

/** The change that an approval makes came too late: its key or partner was changed. Rolls the transaction back. */
class StaleChange extends Error {}

interface DecisionParts {
  readonly id: string
  readonly revision: number
  readonly decision: UpgradeDecision
  readonly change: ApprovedChange | undefined
}

/** Ends a request and makes its change; throws StaleChange. Part of a transaction. */
function* decide(
  db: JsonColumns,
  { id, revision, decision, change }: DecisionParts,
): SqlWork<UpgradeRequest | undefined> {
  const ended = yield* run(
    `UPDATE upgrade_requests SET state = @state, decided_by = @by, decided_at = @atMs, answer = @answer,
       revision = revision + 1
     WHERE id = @id AND revision = @revision AND state = 'open'`,
    { ...decision, answer: decision.answer ?? null, id, revision },
  )
  if (ended === 0) return undefined
  if (change && !(yield* makeChange(db, change))) throw new StaleChange()
  return upgradeOf(db, (yield* get<UpgradeRow>('SELECT * FROM upgrade_requests WHERE id = @id', { id }))!)
}

/** Changes a key or partner and writes the record; returns false if its revision is another. */
function* makeChange(db: JsonColumns, approved: ApprovedChange): SqlWork<boolean> {
  const { id, revision } = approved
  const changed =
    approved.of === 'key'
      ? yield* swapKey(db, id, revision, key => applyKeyChange(key, approved.change))
      : yield* swapPartner(db, id, revision, approved.change)
  if (changed) yield* writeRecord(approved.record)
  return changed !== undefined
}

function upgradeOf(db: JsonColumns, row: UpgradeRow): UpgradeRequest {
  const asked = db.parseJson<object>(row.asked)
  return {
    id: row.id,
    partnerId: row.partner,
    ...(row.key !== null && { keyId: row.key }),
    ask: { kind: row.kind, ...asked } as UpgradeAsk,
    reason: row.reason,
    state: row.state as UpgradeState,
    by: row.by,
    createdMs: row.at,
    ...(row.decided_by !== null && { decidedBy: row.decided_by }),
    ...(row.decided_at !== null && { decidedMs: row.decided_at }),
    ...(row.answer !== null && { answer: row.answer }),
    revision: row.revision,
  }
}

function columnsOf({ ask: { kind, ...asked }, ...request }: UpgradeRequest) {
  return {
    id: request.id,
    partner: request.partnerId,
    key: request.keyId ?? null,
    kind,
    asked: JSON.stringify(asked),
    reason: request.reason,
    state: request.state,
    by: request.by,
    at: request.createdMs,
    revision: request.revision,
  }
}
