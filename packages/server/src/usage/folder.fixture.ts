/** Folds the journal in the folder given as argument, ten records per transaction, until it finishes or is killed. */
import { openEngine } from '../store/engine.ts'
import { foldJournal } from './fold.ts'
import { journalIn } from './journal-reader.ts'

const folder = process.argv[2]!
const { ledger } = openEngine({ kind: 'sqlite', folder }, { create: false })
await foldJournal(journalIn(folder), ledger, { recordsPerCommit: 10 })
