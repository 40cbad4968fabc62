import Database from 'better-sqlite3'
import type { Id } from '../../domain/id.ts'
import { countReview, emptyTotals, type ReviewTotals } from '../../domain/ratings.ts'
import type { IntegrityCheck } from '../../domain/stores.ts'
import { findWrongRanks } from './review-ranks.ts'
import { type ReviewRow, toReview } from './reviews.ts'
import type { Sqlite } from './sqlite.ts'

/** The stores that the checks read. */
interface CheckedStores {
  readonly control: () => Sqlite
  readonly data: () => Sqlite
  readonly controlFile: string
}

/** Creates the checks of a copy (pages and ids) or of everything that is stored (pages and derived data). */
export function createSqliteChecks(
  scope: 'copy' | 'everything',
  { control, data, controlFile }: CheckedStores,
): IntegrityCheck[] {
  const pages = [
    { name: 'control.sqlite', problems: async () => findBrokenPages(control(), 'control.sqlite') },
    { name: 'data.sqlite', problems: async () => findBrokenPages(data(), 'data.sqlite') },
  ]
  const ids = { name: 'ids', problems: async () => findUnregisteredIds(data(), controlFile) }
  const totals = {
    name: 'review totals',
    problems: async () => [...findWrongTotals(data()), ...findWrongRanks(data())],
  }
  return scope === 'copy' ? [...pages, ids] : [...pages, totals]
}

/** Returns a message for each problem that SQLite finds in a store file. */
function findBrokenPages(db: Sqlite, name: string): string[] {
  const wrong = (text: string) => `${name}: ${text}`
  try {
    const found = db.pragma('integrity_check(20)') as { integrity_check: string }[]
    return found.filter(row => row.integrity_check !== 'ok').map(row => wrong(row.integrity_check))
  } catch (error) {
    // Some damage ends the check itself.
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CORRUPT')) return [wrong(error.message)]
    throw error
  }
}

/** Recounts the reviews of every location; returns a message for each whose stored totals differ. */
function findWrongTotals(data: Sqlite, max = 20): string[] {
  const problems: string[] = []
  const ids = data
    .prepare('SELECT location_id FROM review_totals UNION SELECT DISTINCT location_id FROM reviews')
    .pluck()
    .safeIntegers()
  const kept = data.prepare<[Id], string>('SELECT totals FROM review_totals WHERE location_id = ?').pluck()
  const reviews = data.prepare<[Id], ReviewRow>('SELECT * FROM reviews WHERE location_id = ?').safeIntegers()
  for (const id of ids.all() as Id[]) {
    const totals = emptyTotals()
    for (const row of reviews.iterate(id)) countReview(totals, toReview(row), 1)
    const stored = kept.get(id)
    if (stored !== undefined && sameTotals(JSON.parse(stored) as ReviewTotals, totals)) continue
    problems.push(`Location ${id}: the stored totals of its reviews differ from a recount.`)
    if (problems.length === max) break
  }
  return problems
}

const sameTotals = (a: ReviewTotals, b: ReviewTotals): boolean =>
  JSON.stringify(ordered(a)) === JSON.stringify(ordered(b))

const ordered = (totals: ReviewTotals) => ({
  ...totals,
  subratings: Object.entries(totals.subratings).sort(),
  byLanguage: Object.entries(totals.byLanguage).sort(),
})

/** Returns a message for each table with ids that are not registered in the file `control`. */
function findUnregisteredIds(data: Sqlite, control: string): string[] {
  data.prepare('ATTACH ? AS control').run(control)
  try {
    return (['locations', 'reviews'] as const).flatMap((table, i) => {
      const missing = data
        .prepare<[number], number>(
          `SELECT count(*) FROM ${table} WHERE NOT EXISTS
             (SELECT 1 FROM control.record_ids WHERE kind = ? AND record_ids.id = ${table}.id)`,
        )
        .pluck()
        .get(i + 1)!
      return missing === 0 ? [] : [`${missing} ${table} have ids that are not registered in control.sqlite.`]
    })
  } finally {
    data.exec('DETACH control')
  }
}
