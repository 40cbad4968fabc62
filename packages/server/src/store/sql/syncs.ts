import { noRuns, type SyncOutcome, type SyncState, type SyncStore } from '../../domain/sync.ts'
import { run, type SqlDatabase } from './database.ts'

interface SyncRow {
  readonly name: string
  readonly origin: string
  readonly position: string | null
  readonly outcome: string
}

const columns = 'name, origin, position, outcome'

/** Opens the states of syncs. */
export function createSyncs(db: SqlDatabase): SyncStore {
  const toState = ({ name, origin, position, outcome }: SyncRow): SyncState => ({
    name,
    origin,
    ...(position !== null && { position }),
    last: { ...noRuns, ...db.parseJson<SyncOutcome>(outcome) },
  })
  return {
    find: async name => {
      const row = await db.get<SyncRow>(`SELECT ${columns} FROM syncs WHERE name = @name`, { name })
      return row && toState(row)
    },
    list: async () => (await db.all<SyncRow>(`SELECT ${columns} FROM syncs ORDER BY name`)).map(toState),
    put: ({ name, origin, position = null, last }) =>
      db.transaction(function* () {
        yield* run(
          `INSERT INTO syncs (${columns}) VALUES (@name, @origin, @position, @outcome)
           ON CONFLICT (name) DO UPDATE SET origin = @origin, position = @position, outcome = @outcome`,
          { name, origin, position, outcome: JSON.stringify(last) },
        )
      }),
    remove: async name => (await db.run('DELETE FROM syncs WHERE name = @name', { name })) > 0,
  }
}
