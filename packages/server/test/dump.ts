import Database from 'better-sqlite3'
import type { Config } from '../src/config/load.ts'
import { filesOf } from './store-files.ts'

/** Returns the integrity of both store files and all their rows, without timestamps and sequence numbers. */
export function dump(config: Config): { integrity: unknown[]; tables: Record<string, unknown[]> } {
  const layout = filesOf(config.data)
  const integrity: unknown[] = []
  const tables: Record<string, unknown[]> = {}
  for (const file of [layout.control, layout.data]) {
    const db = new Database(file, { readonly: true })
    integrity.push(db.pragma('integrity_check', { simple: true }))
    for (const [table, columns] of file === layout.control ? controlTables : dataTables) {
      tables[table] = db.prepare(`SELECT ${columns} FROM ${table} ORDER BY ${columns}`).safeIntegers().all()
    }
    db.close()
  }
  return { integrity, tables }
}

const controlTables = [
  ['sources', 'name'],
  ['record_ids', 'kind, source_no, source_id, id'],
  ['id_counters', 'kind, next_id'],
] as const
const dataTables = [
  ['locations', 'id, source, country, category, record'],
  ['merges', 'from_id, to_id'],
  ['merged_keys', 'key, from_id'],
  ['reviews', 'id, location_id, published_ms, rating, language, trip_type, user_key, record'],
  ['review_totals', 'location_id, totals'],
  ['tombstones', 'kind, id, reason'],
] as const

/** Returns the number of rows in the change log. */
export function changeCount(config: Config): number {
  const db = new Database(filesOf(config.data).data, { readonly: true })
  const count = db.prepare('SELECT count(*) FROM changes').pluck().get() as number
  db.close()
  return count
}
