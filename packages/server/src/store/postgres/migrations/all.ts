import { controlMigration } from './control.ts'
import { dataMigration } from './data.ts'
import { forgottenMigration } from './forgotten.ts'
import { indexesMigration } from './indexes.ts'
import { journalsMigration, storedRecordsMigration } from './journals.ts'
import { ledgerMigration } from './ledger.ts'
import { limitsMigration } from './limits.ts'
import { processesMigration } from './processes.ts'

import { requestsMigration } from './requests.ts'

/** SQL that upgrades a database from one schema version to the next; its position in the list is the new version. */
export interface PostgresMigration {
  readonly sql: string
  /** The oldest schema version that still works afterwards; 1 if it adds only what older releases ignore. */
  readonly oldest?: number
}

/** Migrations of a PostgreSQL database. Append only: a released migration is never edited. */
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
]
