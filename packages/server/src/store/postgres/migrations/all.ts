import { closedMonthsMigration } from './closed-months.ts'
import { controlMigration } from './control.ts'
import { dataMigration } from './data.ts'
import { forgottenMigration } from './forgotten.ts'
import { indexesMigration } from './indexes.ts'
import { journalsMigration, storedRecordsMigration } from './journals.ts'
import { leasesMigration } from './leases.ts'
import { ledgerMigration } from './ledger.ts'
import { limitsMigration } from './limits.ts'
import { mergedKeysMigration } from './merged-keys.ts'
import { movesMigration } from './moves.ts'
import { nodesMigration } from './nodes.ts'
import { photosMigration } from './photos.ts'
import { processesMigration } from './processes.ts'
import { requestsMigration } from './requests.ts'
import { scansMigration } from './scans.ts'
import { sessionsMigration } from './sessions.ts'
import { storedNodesMigration } from './stored-nodes.ts'
import { suggestionsMigration } from './suggestions.ts'
import { syncsMigration } from './syncs.ts'

/**
 * An upgrade of a database from one schema version to the next; its position in the list is the new version. It runs
 * while older releases use the database, so it adds only what these ignore.
 */
export type PostgresMigration = SqlMigration | IndexMigration

/** Statements that run in one transaction. */
interface SqlMigration {
  readonly sql: string
}

/** An index of a table in use, which is created without blocking writers. */
export interface IndexMigration {
  readonly index: string
  /** Table and columns, as in `keys (partner_id)`. */
  readonly on: string
}

/**
 * A removal of what only releases below a level need; it runs once none of them lives. The same moment switches
 * to the forms that releases from that level on read (domain/levels.ts); `sql` may be empty.
 */
export interface PostgresContraction {
  /** The lowest level of releases that can use the database afterwards. */
  readonly oldest: number
  readonly sql: string
}

/**
 * Migrations of a PostgreSQL database. Append only: a released migration is never edited.
 * docs/guides/change-the-database.md describes how to write one.
 */
export const postgresMigrations: readonly PostgresMigration[] = [
  { sql: dataMigration },
  { sql: controlMigration },
  { sql: ledgerMigration },
  { sql: limitsMigration },
  { sql: journalsMigration },
  { sql: indexesMigration },
  { sql: storedRecordsMigration },
  { sql: requestsMigration },
  { sql: processesMigration },
  { sql: forgottenMigration },
  { sql: nodesMigration },
  { sql: movesMigration },
  { sql: scansMigration },
  { sql: leasesMigration },
  { sql: closedMonthsMigration },
  { sql: storedNodesMigration },
  { sql: sessionsMigration },
  { sql: mergedKeysMigration },
  { sql: photosMigration },
  { sql: syncsMigration },
  { sql: suggestionsMigration },
]

/** Contractions of a PostgreSQL database, by ascending `oldest`. Append only. */
export const postgresContractions: readonly PostgresContraction[] = [
  // States of limits in form 2 have the bucket of autocomplete, which older releases cannot load.
  { oldest: 17, sql: '' },
]

/** Level of this release: the newest schema version that it knows. */
export const releaseLevel = postgresMigrations.length
