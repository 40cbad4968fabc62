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
import type { Sqlite } from '../connection.ts'
import type { AccessChange } from './access-change.ts'
import { mapPart, selectPart } from './list-query.ts'
import { isVisibleSql, visibleParameter } from './visibility.ts'

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

const partnerOf = (control: Sqlite, row: PartnerRow): Partner => ({
  id: row.id,
  name: row.name,
  ...(row.email !== null && { email: row.email }),
  ...(row.external_ref !== null && { externalRef: row.external_ref }),
  ...(row.package !== null && { packageName: row.package as PackageName }),
  agreement: control.parseJson<Agreement>(row.agreement),
  scope: control.parseJson<Scope>(row.scope),
  liveKeysMax: row.live_keys_max,
  ...(row.zone !== null && { zone: row.zone }),
  state: row.state as PartnerState,
  createdMs: row.created_ms,
  revision: row.revision,
})

/** The texts of a partner that a search looks at, in separate lines. */
const searchedText =
  "id || char(10) || name || char(10) || coalesce(email, '') || char(10) || coalesce(external_ref, '')"

const orders = {
  created: 'partners.created_ms',
  name: 'lower(partners.name)',
  units: 'coalesce(sums.units, 0)',
  last_call: "coalesce((SELECT max(last_used_day) FROM keys WHERE partner_id = partners.id), '')",
  state: 'partners.state',
}

/** Sums the units of each partner since a day; as the ledger, in which a partner has no calls of others. */
const unitSums = `partners LEFT JOIN (SELECT partner_id, sum(units) AS units FROM usage_days WHERE from_ms >= ?
  GROUP BY partner_id) AS sums ON sums.partner_id = partners.id`

const listPartners = (
  control: Sqlite,
  visibility: Visibility,
  { state, text, unitsFromMs = 0, ...span }: PartnerSpan,
) =>
  selectPart<PartnerRow, keyof typeof orders>(control, {
    from: span.order?.by === 'units' ? [unitSums, unitsFromMs] : ['partners'],
    table: 'partners',
    partnerColumn: 'partners.id',
    visibility,
    orders,
    byDefault: partnerOrders.byDefault,
    span,
    conditions: [
      ...(state === undefined ? [] : [['state = ?', state] as const]),
      ...(text ? [[`contains_text(${searchedText}, ?)`, text.toLowerCase()] as const] : []),
    ],
  })

type Partners = Pick<
  KeyAdmin,
  'createPartner' | 'partner' | 'partners' | 'partnerPart' | 'updatePartner' | 'addNote' | 'notes'
>

/** Opens the partners in control.sqlite. */
export function createSqlitePartners(control: Sqlite, write: AccessChange): Partners {
  const visible = control.prepare<[{ id: string; visible: string | null }], PartnerRow>(
    `SELECT * FROM partners WHERE id = @id AND ${isVisibleSql('id')}`,
  )
  // SQLite's LOWER converts only ASCII letters.
  control.function('contains_text', { deterministic: true }, (text: unknown, sought: unknown) =>
    Number(String(text).toLowerCase().includes(String(sought))),
  )
  const add = control.prepare(
    `INSERT INTO partners (id, name, email, external_ref, package, agreement, scope, live_keys_max, zone, state,
       created_ms, revision)
     VALUES (@id, @name, @email, @externalRef, @package, @agreement, @scope, @liveKeysMax, @zone, @state, @createdMs,
       @revision)
     ON CONFLICT (id) DO NOTHING`,
  )
  const create = write((partner: Partner) => add.run(columnsOf(partner)).changes === 1)
  const update = write(partnerSwap(control))
  return {
    createPartner: async (partner, record) => create(partner, record),
    partner: async (id, visibility) => {
      const row = visible.get({ id, ...visibleParameter(visibility) })
      return row && partnerOf(control, row)
    },
    partners: async (visibility, filter = {}) =>
      listPartners(control, visibility, filter).rows.map(row => partnerOf(control, row)),
    partnerPart: async (visibility, span) =>
      mapPart(listPartners(control, visibility, span), row => partnerOf(control, row)),
    updatePartner: async (id, expectedRevision, changes, record) => update(id, expectedRevision, changes, record),
    ...createNotes(control, write),
  }
}

/**
 * Returns a function that changes a partner if its revision is the expected one; closing it revokes its keys. Call that
 * function in a transaction.
 */
export function partnerSwap(
  control: Sqlite,
): (id: string, expectedRevision: number, change: PartnerChange) => Partner | undefined {
  const one = control.prepare<[string], PartnerRow>('SELECT * FROM partners WHERE id = ?')
  const change = control.prepare(
    `UPDATE partners SET name = @name, email = @email, external_ref = @externalRef, package = @package,
       agreement = @agreement, scope = @scope, live_keys_max = @liveKeysMax, zone = @zone, state = @state,
       revision = revision + 1
     WHERE id = @id AND revision = @revision`,
  )
  const revokeKeys = control.prepare(
    "UPDATE keys SET state = 'revoked', revision = revision + 1 WHERE partner_id = ? AND state <> 'revoked'",
  )
  return (id, expectedRevision, changes) => {
    const row = one.get(id)
    if (row?.revision !== expectedRevision) return undefined
    change.run(columnsOf(applyPartnerChange(partnerOf(control, row), changes)))
    if (changes.state === 'closed') revokeKeys.run(id)
    return partnerOf(control, one.get(id)!)
  }
}

function createNotes(control: Sqlite, write: AccessChange): Pick<Partners, 'addNote' | 'notes'> {
  const add = control.prepare(
    'INSERT INTO notes (id, partner, text, by, at) VALUES (@id, @partnerId, @text, @by, @atMs)',
  )
  const ofPartner = control.prepare<[string], PartnerNote>(
    'SELECT id, partner AS partnerId, text, by, at AS atMs FROM notes WHERE partner = ? ORDER BY at DESC, rowid DESC',
  )
  const addNote = write((note: PartnerNote) => add.run(note).changes === 1)
  return {
    addNote: async (note, record) => {
      addNote(note, record)
    },
    notes: async partnerId => ofPartner.all(partnerId),
  }
}

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
