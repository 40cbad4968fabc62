import type { FolderProblem, IntegrityCheck } from '../../domain/data-folder.ts'
import type { Id } from '../../domain/id.ts'
import { countReview, emptyTotals, type ReviewTotals, sameTotals } from '../../domain/ratings.ts'
import { kindNumber } from '../rows/codes.ts'
import { type ReviewRow, toReview } from '../rows/review-row.ts'
import type { JsonColumns } from '../sql/database.ts'
import type { PostgresPool, PostgresSession } from './pool.ts'

/** Maximum number of problems of one kind that a check lists. */
const maxListed = 20
/** Number of places whose reviews are recounted together. */
const placesAtATime = 500

/** Creates the checks of ids, or of everything that is stored: ids and derived data. */
export function createPostgresChecks(scope: 'copy' | 'everything', pool: PostgresPool): IntegrityCheck[] {
  const check = (name: string, find: (session: PostgresSession) => Promise<string[]>): IntegrityCheck => ({
    name,
    reads: [],
    problems: async () => {
      const found = await pool.transaction(find, { mode: 'ISOLATION LEVEL REPEATABLE READ, READ ONLY' })
      return found.map((problem): FolderProblem => ({ file: pool.name, problem }))
    },
  })
  const ids = check('ids', findUnregisteredIds)
  if (scope === 'copy') return [ids]
  const findWrong = async (session: PostgresSession) => [
    ...(await findWrongTotals(session, pool)),
    ...(await findWrongRanks(session)),
  ]
  return [ids, check('review totals', findWrong)]
}

/** Returns a message for each kind of records with ids that are not registered. */
async function findUnregisteredIds(session: PostgresSession): Promise<string[]> {
  const problems: string[] = []
  for (const kind of ['location', 'review'] as const) {
    const [row] = await session.query<{ missing: bigint }>(
      `SELECT count(*) AS missing FROM ${kind}s AS one
       WHERE NOT EXISTS (SELECT 1 FROM record_ids WHERE kind = $1 AND record_ids.id = one.id)`,
      [kindNumber[kind]],
    )
    if (row!.missing > 0n) problems.push(`${row!.missing} ${kind}s have ids that are not registered.`)
  }
  return problems
}

/** Recounts the reviews of every location; returns a message for each whose stored totals differ. */
async function findWrongTotals(session: PostgresSession, columns: JsonColumns): Promise<string[]> {
  const problems: string[] = []
  let after: Id = -1n
  while (problems.length < maxListed) {
    const places = await session.query<{ id: Id; totals: string | null }>(
      'SELECT id, totals FROM locations WHERE id > $1 ORDER BY id LIMIT $2',
      [after, placesAtATime],
    )
    if (places.length === 0) break
    after = places.at(-1)!.id
    const reviews = await session.query<ReviewRow>('SELECT * FROM reviews WHERE location_id = ANY ($1)', [
      places.map(({ id }) => id),
    ])
    const byPlace = Map.groupBy(reviews, row => row.location_id)
    for (const { id, totals: stored } of places) {
      const totals = emptyTotals()
      for (const row of byPlace.get(id) ?? []) countReview(totals, toReview(columns, row), 1)
      if (sameTotals(stored === null ? emptyTotals() : columns.parseJson<ReviewTotals>(stored), totals)) continue
      problems.push(`Location ${id}: the stored totals of its reviews differ from a recount.`)
    }
  }
  return problems.slice(0, maxListed)
}

/** Returns a message for each place whose stored order by rating differs from its reviews. */
async function findWrongRanks(session: PostgresSession): Promise<string[]> {
  const columns = 'id, rating, published_ms, language, trip_type'
  const rows = await session.query<{ id: Id }>(
    `SELECT id FROM locations WHERE is_ranked AND (
       EXISTS (SELECT ${columns} FROM reviews WHERE location_id = locations.id
               EXCEPT SELECT ${columns} FROM review_ranks WHERE location_id = locations.id)
       OR (SELECT count(*) FROM reviews WHERE location_id = locations.id)
         <> (SELECT count(*) FROM review_ranks WHERE location_id = locations.id))
     ORDER BY id LIMIT ${maxListed}`,
  )
  return rows.map(({ id }) => `Location ${id}: the stored order of its reviews by rating is wrong.`)
}
