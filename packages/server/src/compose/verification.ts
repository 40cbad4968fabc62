import type { Config } from '../config/load.ts'
import { auditIndex } from '../search/index/audit.ts'
import { loadSegment } from '../search/index/file.ts'
import { type Layout, layoutOf } from '../store/folder/layout.ts'
import { withAllLocations } from '../store/sqlite/all-locations.ts'
import { changedLocations } from '../store/sqlite/change-log.ts'
import { brokenPages, wrongTotals } from '../store/sqlite/integrity.ts'
import { sqliteLedger } from '../store/sqlite/ledger.ts'
import type { Sqlite } from '../store/sqlite/open.ts'
import { wrongRanks } from '../store/sqlite/review-ranks.ts'
import { audit, readBooks } from '../usage/audit.ts'
import { openControl, openData } from './stores.ts'

/** One thing that is looked at, and how. */
export interface Inspection {
  readonly name: string
  problems(): Promise<string[]>
}

/** Everything that `periplus verify` looks at; works beside a running service. */
export function* composeVerification(config: Config): Generator<Inspection> {
  const layout = layoutOf(config.data, { create: false })
  const control = openControl(layout)
  const data = openData(layout, { cacheMb: 64, mapped: true })
  try {
    yield { name: 'control.sqlite', problems: async () => brokenPages(control, 'control.sqlite') }
    yield { name: 'data.sqlite', problems: async () => brokenPages(data, 'data.sqlite') }
    yield { name: 'review totals', problems: async () => [...wrongTotals(data), ...wrongRanks(data)] }
    yield { name: 'search index', problems: () => indexProblems(layout, data) }
    yield {
      name: 'journal, roll-ups and windows',
      problems: async () => audit(await readBooks(layout.journal, sqliteLedger(control))),
    }
  } finally {
    data.close()
    control.close()
  }
}

/** The file is read before the store, so that it is not ahead of it when an import runs beside. */
async function indexProblems(layout: Layout, data: Sqlite): Promise<string[]> {
  const loaded = loadSegment(layout.index)
  return withAllLocations(data, async ({ revision, entries }) =>
    auditIndex(loaded, { lastSeq: revision, entries, changedAfter: seq => changedLocations(data, seq) }),
  )
}
