import type { Partner, PartnerChange } from '../../domain/partner.ts'
import type { KeyAdmin } from '../../domain/stores.ts'
import type { Sqlite } from '../connection.ts'
import type { AccessChange } from './access-change.ts'
import { isVisibleSql, visibleParameter } from './visibility.ts'

interface PartnerRow {
  id: string
  name: string
  email: string | null
  external_ref: string | null
  created_ms: number
  revision: number
}

const partnerOf = (row: PartnerRow): Partner => ({
  id: row.id,
  name: row.name,
  ...(row.email !== null && { email: row.email }),
  ...(row.external_ref !== null && { externalRef: row.external_ref }),
  createdMs: row.created_ms,
  revision: row.revision,
})

/** Opens the partners in control.sqlite. */
export function createSqlitePartners(
  control: Sqlite,
  write: AccessChange,
): Pick<KeyAdmin, 'createPartner' | 'partner' | 'partners' | 'updatePartner'> {
  const one = control.prepare<[string], PartnerRow>('SELECT * FROM partners WHERE id = ?')
  const visible = control.prepare<[{ id: string; visible: string | null }], PartnerRow>(
    `SELECT * FROM partners WHERE id = @id AND ${isVisibleSql('id')}`,
  )
  const all = control.prepare<[{ visible: string | null }], PartnerRow>(
    `SELECT * FROM partners WHERE ${isVisibleSql('id')} ORDER BY created_ms, id`,
  )
  const add = control.prepare(
    `INSERT INTO partners (id, name, email, external_ref, created_ms, revision)
     VALUES (@id, @name, @email, @externalRef, @createdMs, @revision) ON CONFLICT (id) DO NOTHING`,
  )
  const change = control.prepare(
    `UPDATE partners SET name = @name, email = @email, external_ref = @externalRef, revision = revision + 1
     WHERE id = @id AND revision = @revision`,
  )
  const create = write((partner: Partner) => add.run(columnsOf(partner)).changes === 1)
  const update = write((id: string, expectedRevision: number, changes: PartnerChange) => {
    const row = one.get(id)
    if (row?.revision !== expectedRevision) return undefined
    change.run({ ...columnsOf(partnerOf(row)), ...changes })
    return partnerOf(one.get(id)!)
  })
  return {
    createPartner: async (partner, record) => create(partner, record),
    partner: async (id, visibility) => {
      const row = visible.get({ id, ...visibleParameter(visibility) })
      return row && partnerOf(row)
    },
    partners: async visibility => all.all(visibleParameter(visibility)).map(partnerOf),
    updatePartner: async (id, expectedRevision, changes, record) => update(id, expectedRevision, changes, record),
  }
}

const columnsOf = (p: Partner) => ({
  id: p.id,
  name: p.name,
  email: p.email ?? null,
  externalRef: p.externalRef ?? null,
  createdMs: p.createdMs,
  revision: p.revision,
})
