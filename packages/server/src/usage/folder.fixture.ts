/** Folds the journal in the folder given as argument, ten records per transaction, until it finishes or is killed. */
import { join } from 'node:path'
import { createSqliteLedger } from '../store/sqlite/ledger.ts'
import { ledgerMigrations } from '../store/sqlite/migrations/ledger.ts'
import { openSqlite } from '../store/sqlite/open.ts'
import { foldJournal } from './fold.ts'

const folder = process.argv[2]!
const db = openSqlite(join(folder, 'control.sqlite'), ledgerMigrations, { synchronous: 'NORMAL' })
await foldJournal(folder, createSqliteLedger(db), { recordsPerCommit: 10 })
