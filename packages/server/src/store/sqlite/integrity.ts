import { relative } from 'node:path'
import type { FolderProblem, IntegrityCheck } from '../../domain/data-folder.ts'
import type { Id } from '../../domain/id.ts'
import { countReview, emptyTotals, type ReviewTotals, sameTotals } from '../../domain/ratings.ts'
import { StoreFailure } from '../../domain/store-errors.ts'
import type { Sqlite } from '../connection.ts'
import { type ReviewRow, toReview } from '../rows/review-row.ts'
import { findWrongRanks } from './review-ranks.ts'

/** The stores that the checks read, and their paths. */
interface CheckedStores {
  readonly control: () => Sqlite
  readonly data: () => Sqlite
  readonly files: { readonly control: string; readonly data: string }
  readonly root: string
}

/** Maximum number of problems of one kind that a check lists. */
const maxListed = 20

/** Creates the checks of a copy (pages and ids) or of everything that is stored (pages, ids and derived data). */
export function createSqliteChecks(
  scope: 'copy' | 'everything',
  { control, data, files, root }: CheckedStores,
): IntegrityCheck[] {
  const nameOf = (file: string) => relative(root, file).replaceAll('\\', '/')
  const ofData = (problem: string): FolderProblem => ({ file: nameOf(files.data), problem })
  const copied: IntegrityCheck[] = [
    {
      name: 'pages of control.sqlite',
      reads: ['control'],
      problems: async () => findBrokenPages(control(), nameOf(files.control)),
    },
    {
      name: 'pages of data.sqlite',
      reads: ['data'],
      problems: async () => findBrokenPages(data(), nameOf(files.data)),
    },
    {
      name: 'ids',
      reads: ['control', 'data'],
      problems: async () => findUnregisteredIds(data(), files.control).map(ofData),
    },
  ]
  if (scope === 'copy') return copied
  const totals = async () => [...findWrongTotals(data()), ...findWrongRanks(data())].map(ofData)
  return [...copied, { name: 'review totals', reads: ['data'], problems: totals }]
}

/** Returns a problem if pages of a store file are damaged, or if its tables and indexes contradict one another. */
function findBrokenPages(db: Sqlite, file: string): FolderProblem[] {
  const found = countBrokenPages(db)
  if (found === 0) return []
  const errors = found === 1 ? '1 error' : `${found === maxListed ? 'at least ' : ''}${found} errors`
  return [{ file, problem: `${file} is damaged: the integrity check of the database found ${errors}.` }]
}

function countBrokenPages(db: Sqlite): number {
  try {
    const found = db.pragma(`integrity_check(${maxListed})`) as { integrity_check: string }[]
    return found.filter(row => row.integrity_check !== 'ok').length
  } catch (error) {
    // Some damage ends the check itself.
    if (error instanceof StoreFailure && error.kind === 'damaged') return 1
    throw error
  }
}

/** Recounts the reviews of every location; returns a message for each whose stored totals differ. */
function findWrongTotals(data: Sqlite): string[] {
  const problems: string[] = []
  const ids = data
    .prepare('SELECT location_id FROM review_totals UNION SELECT DISTINCT location_id FROM reviews')
    .pluck()
    .safeIntegers()
  const kept = data.prepare<[Id], string>('SELECT totals FROM review_totals WHERE location_id = ?').pluck()
  const reviews = data.prepare<[Id], ReviewRow>('SELECT * FROM reviews WHERE location_id = ?').safeIntegers()
  for (const id of ids.all() as Id[]) {
    const totals = emptyTotals()
    for (const row of reviews.iterate(id)) countReview(totals, toReview(data, row), 1)
    const stored = kept.get(id)
    if (stored !== undefined && sameTotals(data.parseJson<ReviewTotals>(stored), totals)) continue
    problems.push(`Location ${id}: the stored totals of its reviews differ from a recount.`)
    if (problems.length === maxListed) break
  }
  return problems
}

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
