import type { ChangeRecord } from '../../domain/change-record.ts'
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
import type { Sqlite } from '../connection.ts'
import { createAccessChange } from './access-change.ts'
import { createRecordWriter } from './change-record.ts'
import { createKeySwap } from './key-rows.ts'
import { mapPart, selectPart } from './list-query.ts'
import { partnerSwap } from './partners.ts'
import { isVisibleSql, visibleParameter } from './visibility.ts'

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

/** Opens the upgrade requests in control.sqlite. */
export function createSqliteUpgrades(control: Sqlite): UpgradeStore {
  const write = createAccessChange(control)
  const one = control.prepare<[{ id: string; visible: string | null }], UpgradeRow>(
    `SELECT * FROM upgrade_requests WHERE id = @id AND ${isVisibleSql('partner')}`,
  )
  const all = control.prepare<[{ state: string | null; visible: string | null }], UpgradeRow>(
    `SELECT * FROM upgrade_requests WHERE ${isVisibleSql('partner')} AND (@state IS NULL OR state = @state)
     ORDER BY at DESC, rowid DESC`,
  )
  const add = control.prepare(
    `INSERT INTO upgrade_requests (id, partner, key, kind, asked, reason, state, by, at, revision)
     VALUES (@id, @partner, @key, @kind, @asked, @reason, @state, @by, @at, @revision) ON CONFLICT DO NOTHING`,
  )
  const open = write((request: UpgradeRequest) => add.run(columnsOf(request)).changes === 1)
  const decide = write(prepareDecision(control))
  return {
    open: async (request, record) => open(request, record),
    get: async (id, visibility) => {
      const row = one.get({ id, ...visibleParameter(visibility) })
      return row && upgradeOf(control, row)
    },
    list: async (visibility, state) =>
      all.all({ state: state ?? null, ...visibleParameter(visibility) }).map(row => upgradeOf(control, row)),
    part: async (visibility, span) =>
      mapPart(selectUpgrades(control, visibility, span), row => upgradeOf(control, row)),
    decide: async (id, expectedRevision, decision, change, record) =>
      decide(id, expectedRevision, decision, change, record),
  }
}

const orders = {
  created: 'upgrade_requests.at',
  partner: '(SELECT lower(name) FROM partners WHERE id = upgrade_requests.partner)',
  kind: 'upgrade_requests.kind',
  state: 'upgrade_requests.state',
  decided: 'coalesce(upgrade_requests.decided_at, 0)',
}

const selectUpgrades = (control: Sqlite, visibility: Visibility, { states, partnerId, ...span }: UpgradeSpan) =>
  selectPart<UpgradeRow, keyof typeof orders>(control, {
    from: ['upgrade_requests'],
    table: 'upgrade_requests',
    partnerColumn: 'partner',
    visibility,
    orders,
    byDefault: upgradeOrders.byDefault,
    span,
    conditions: [
      ...(states ? [['state IN (SELECT value FROM json_each(?))', JSON.stringify(states)] as const] : []),
      ...(partnerId === undefined ? [] : [['partner = ?', partnerId] as const]),
    ],
  })

/** The change that an approval makes came too late: its key or partner was changed. Rolls the transaction back. */
class StaleChange extends Error {}

/** Returns a function that ends a request and makes its change. Call it in a transaction. */
function prepareDecision(control: Sqlite) {
  const one = control.prepare<[string], UpgradeRow>('SELECT * FROM upgrade_requests WHERE id = ?')
  const end = control.prepare(
    `UPDATE upgrade_requests SET state = @state, decided_by = @by, decided_at = @atMs, answer = @answer,
       revision = revision + 1
     WHERE id = @id AND revision = @revision AND state = 'open'`,
  )
  const makeChange = prepareChange(control)
  const decideOrThrow = control.transaction(
    (id: string, revision: number, decision: UpgradeDecision, change: ApprovedChange | undefined) => {
      if (end.run({ ...decision, answer: decision.answer ?? null, id, revision }).changes === 0) return undefined
      if (change && !makeChange(change)) throw new StaleChange()
      return upgradeOf(control, one.get(id)!)
    },
  )
  return (...args: Parameters<typeof decideOrThrow>): UpgradeRequest | undefined => {
    try {
      return decideOrThrow(...args)
    } catch (error) {
      if (error instanceof StaleChange) return undefined
      throw error
    }
  }
}

/** Returns a function that changes a key or partner and writes the record; false if its revision is another. */
function prepareChange(control: Sqlite): (approved: ApprovedChange) => boolean {
  const [swapKey, swapPartner] = [createKeySwap(control), partnerSwap(control)]
  const writeRecord: (record: ChangeRecord) => void = createRecordWriter(control)
  return approved => {
    const { id, revision } = approved
    const changed =
      approved.of === 'key'
        ? swapKey(id, revision, key => applyKeyChange(key, approved.change))
        : swapPartner(id, revision, approved.change)
    if (changed) writeRecord(approved.record)
    return changed !== undefined
  }
}

function upgradeOf(control: Sqlite, row: UpgradeRow): UpgradeRequest {
  const asked = control.parseJson<object>(row.asked)
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
