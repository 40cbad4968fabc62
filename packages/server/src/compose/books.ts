import type { Config } from '../config/load.ts'
import type { Ledger } from '../domain/ledger.ts'
import { layoutOf } from '../store/folder/layout.ts'
import { sqliteLedger } from '../store/sqlite/ledger.ts'
import { openControl } from './stores.ts'

/** What questions about usage are answered from; works beside a running service. */
export interface Books {
  readonly journalFolder: string
  readonly ledger: Ledger
  close(): void
}

/** The journal and ledger of a data folder. */
export function composeBooks(config: Config): Books {
  const layout = layoutOf(config.data, { create: false })
  const control = openControl(layout)
  return { journalFolder: layout.journal, ledger: sqliteLedger(control), close: () => control.close() }
}
