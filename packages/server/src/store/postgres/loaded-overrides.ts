import type { Id } from '../../domain/id.ts'
import type { OverrideRow, OverrideRows } from '../rows/override-rules.ts'
import type { NewOverrideRow } from '../rows/place-rules.ts'
import type { JsonColumns } from '../sql/database.ts'
import type { PostgresSession } from './pool.ts'

/** Overrides that a transaction has loaded, and their changes. */
export class LoadedOverrides implements OverrideRows {
  readonly #exist: boolean
  readonly #json: JsonColumns
  readonly #rows = new Map<Id, OverrideRow[]>()
  /** Changed overrides: their rows, or undefined for removed ones. */
  readonly #changed = new Map<string, { id: Id; field: string; row: OverrideRow | undefined }>()

  constructor(exist: boolean, json: JsonColumns) {
    this.#exist = exist
    this.#json = json
  }

  async load(session: PostgresSession, ids: readonly Id[]): Promise<void> {
    if (!this.#exist || ids.length === 0) return
    const sql = 'SELECT * FROM overrides WHERE location = ANY($1) ORDER BY location, field'
    for (const row of await session.query<OverrideRow>(sql, [ids]))
      this.#rows.set(row.location, [...this.of(row.location), row])
  }

  exist(): boolean {
    return this.#exist
  }

  of(id: Id): readonly OverrideRow[] {
    return this.#rows.get(id) ?? []
  }

  setImported(row: OverrideRow, imported: string | null): void {
    this.#set(row.location, row.field, { ...row, imported })
  }

  put({ id, field, value, imported, decision }: NewOverrideRow, atMs: number, revision: bigint): void {
    const { reason, actor } = decision
    const row = { location: id, field, value, imported, reason, actor: JSON.stringify(actor) }
    this.#set(id, field, { ...row, at_ms: BigInt(atMs), revision })
  }

  remove(id: Id, field: string): void {
    this.#set(id, field, undefined)
  }

  parseJson<T>(text: string): T {
    return this.#json.parseJson<T>(text)
  }

  async write(session: PostgresSession): Promise<void> {
    for (const { id, field, row } of this.#changed.values()) {
      await session.run('DELETE FROM overrides WHERE location = $1 AND field = $2', [id, field])
      if (!row) continue
      const { value, imported, reason, actor, at_ms: atMs, revision } = row
      await session.run(
        `INSERT INTO overrides (location, field, value, imported, reason, actor, at_ms, revision)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [id, field, value, imported, reason, actor, atMs, revision],
      )
    }
  }

  #set(id: Id, field: string, row: OverrideRow | undefined): void {
    const others = this.of(id).filter(one => one.field !== field)
    const rows = row ? [...others, row].sort((a, b) => (a.field < b.field ? -1 : 1)) : others
    this.#rows.set(id, rows)
    this.#changed.set(`${id} ${field}`, { id, field, row })
  }
}
