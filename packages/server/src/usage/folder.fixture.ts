/** Folds the journal in the folder given as argument, ten records per transaction, until it finishes or is killed. */
import { openEngine } from '../store/engine.ts'
import { foldJournal } from './fold.ts'

const folder = process.argv[2]!
const { ledger } = openEngine({ kind: 'sqlite', folder }, { create: false })
await foldJournal(folder, ledger, { recordsPerCommit: 10 })
