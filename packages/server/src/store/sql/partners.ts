import type { Agreement } from '../../domain/agreement.ts'
import { type KeyAdmin, type PartnerSpan, partnerOrders } from '../../domain/key-stores.ts'
import type { PackageName } from '../../domain/package.ts'
import {
  applyPartnerChange,
  type Partner,
  type PartnerChange,
  type PartnerNote,
  type PartnerState,
} from '../../domain/partner.ts'
import type { Scope } from '../../domain/scope.ts'
import type { Visibility } from '../../domain/visibility.ts'
import { changeAccess } from './access-change.ts'
import { get, type JsonColumns, run, type SqlDatabase, type SqlWork } from './database.ts'
import { mapPart, selectPart } from './list-query.ts'
import { equals, isVisible, where } from './terms.ts'

interface PartnerRow {
  id: string
  name: string
  email: string | null
  external_ref: string | null
  package: string | null
  agreement: string
  scope: string
  live_keys_max: number
  zone: string | null
  state: string
  created_ms: number
  revision: number
}

const partnerOf = (db: JsonColumns, row: PartnerRow): Partner => ({
  id: row.id,
  name: row.name,
  ...(row.email !== null && { email: row.email }),
  ...(row.external_ref !== null && { externalRef: row.external_ref }),
  ...(row.package !== null && { packageName: row.package as PackageName }),
  agreement: db.parseJson<Agreement>(row.agreement),
  scope: db.parseJson<Scope>(row.scope),
  liveKeysMax: row.live_keys_max,
  ...(row.zone !== null && { zone: row.zone }),
  state: row.state as PartnerState,
  createdMs: row.created_ms,
  revision: row.revision,
})

/** The texts of a partner that a search looks at, in separate lines. */
const searchedText = ['id', 'name', "coalesce(email, '')", "coalesce(external_ref, '')"].join(" || '\n' || ")

const orders = {
  created: 'partners.created_ms',
  name: 'lower(partners.name)',
  units: 'CAST(coalesce(sums.units, 0) AS BIGINT)',
  last_call: "coalesce((SELECT max(last_used_day) FROM keys WHERE partner_id = partners.id), '')",
  state: 'partners.state',
}

/** Sums the units of each partner since a day; as the ledger, in which a partner has no calls of others. */
const unitSums = `partners LEFT JOIN (SELECT partner_id, sum(units) AS units FROM usage_days WHERE from_ms >= @unitsFromMs
  GROUP BY partner_id) AS sums ON sums.partner_id = partners.id`

const listPartners = (
  db: SqlDatabase,
  visibility: Visibility,
  { state, text, unitsFromMs = 0, ...span }: PartnerSpan,
) =>
  selectPart<PartnerRow, keyof typeof orders>(db, {
    from: span.order?.by === 'units' ? { sql: unitSums, params: { unitsFromMs } } : 'partners',
    table: 'partners',
    orders,
    byDefault: partnerOrders.byDefault,
    span,
    conditions: [
      ...isVisible('partners.id', visibility),
      ...equals('state', 'state', state),
      ...(text ? [{ sql: `contains_text(${searchedText}, @text) = 1`, params: { text: text.toLowerCase() } }] : []),
    ],
  })

type Partners = Pick<
  KeyAdmin,
  'createPartner' | 'partner' | 'partners' | 'partnerPart' | 'updatePartner' | 'addNote' | 'notes'
>

/** Opens the partners. */
export function createPartners(db: SqlDatabase): Partners {
  return {
    createPartner: (partner, record) =>
      changeAccess(db, record, function* () {
        const added = yield* run(
          `INSERT INTO partners (id, name, email, external_ref, package, agreement, scope, live_keys_max, zone, state,
             created_ms, revision)
           VALUES (@id, @name, @email, @externalRef, @package, @agreement, @scope, @liveKeysMax, @zone, @state,
             @createdMs, @revision)
           ON CONFLICT (id) DO NOTHING`,
          columnsOf(partner),
        )
        return added === 1
      }),
    partner: async (id, visibility) => {
      const { sql, params } = where([...equals('id', 'id', id), ...isVisible('id', visibility)])
      const row = await db.get<PartnerRow>(`SELECT * FROM partners ${sql}`, params)
      return row && partnerOf(db, row)
    },
    partners: async (visibility, filter = {}) =>
      (await listPartners(db, visibility, filter)).rows.map(row => partnerOf(db, row)),
    partnerPart: async (visibility, span) =>
      mapPart(await listPartners(db, visibility, span), row => partnerOf(db, row)),
    updatePartner: (id, expectedRevision, changes, record) =>
      changeAccess(db, record, () => swapPartner(db, id, expectedRevision, changes)),
    ...createNotes(db),
  }
}

/** Changes a partner if its revision is the expected one; closing it revokes its keys. Part of a transaction. */
export function* swapPartner(
  db: JsonColumns,
  id: string,
  expectedRevision: number,
  changes: PartnerChange,
): SqlWork<Partner | undefined> {
  const one = () => get<PartnerRow>('SELECT * FROM partners WHERE id = @id', { id })
  const row = yield* one()
  if (row?.revision !== expectedRevision) return undefined
  yield* run(
    `UPDATE partners SET name = @name, email = @email, external_ref = @externalRef, package = @package,
       agreement = @agreement, scope = @scope, live_keys_max = @liveKeysMax, zone = @zone, state = @state,
       revision = revision + 1
     WHERE id = @id AND revision = @revision`,
    columnsOf(applyPartnerChange(partnerOf(db, row), changes)),
  )
  if (changes.state === 'closed')
    yield* run(
      "UPDATE keys SET state = 'revoked', revision = revision + 1 WHERE partner_id = @id AND state <> 'revoked'",
      { id },
    )
  return partnerOf(db, (yield* one())!)
}

const createNotes = (db: SqlDatabase): Pick<Partners, 'addNote' | 'notes'> => ({
  addNote: async (note, record) =>
    void (await changeAccess(db, record, () =>
      run('INSERT INTO notes (id, partner, text, by, at) VALUES (@id, @partnerId, @text, @by, @atMs)', { ...note }),
    )),
  notes: partnerId =>
    db.all<PartnerNote>(
      `SELECT id, partner AS "partnerId", text, by, at AS "atMs" FROM notes WHERE partner = @partnerId
       ORDER BY at DESC, rowid DESC`,
      { partnerId },
    ),
})

const columnsOf = (p: Partner) => ({
  id: p.id,
  name: p.name,
  email: p.email ?? null,
  externalRef: p.externalRef ?? null,
  package: p.packageName ?? null,
  agreement: JSON.stringify(p.agreement),
  scope: JSON.stringify(p.scope),
  liveKeysMax: p.liveKeysMax,
  zone: p.zone ?? null,
  state: p.state,
  createdMs: p.createdMs,
  revision: p.revision,
})
