import type { Config } from '../config/load.ts'
import type { Engine, IntegrityCheck } from '../domain/stores.ts'
import { auditIndex } from '../search/index/audit.ts'
import { loadSegment } from '../search/index/file.ts'
import { openLayout } from '../store/folder/layout.ts'
import { audit, readAuditInput } from '../usage/audit.ts'
import { openConfiguredEngine } from './engine.ts'

/** Yields the checks of `periplus verify`; a service may run concurrently. */
export async function* composeVerification(config: Config): AsyncGenerator<IntegrityCheck> {
  const layout = openLayout(config.data, { create: false })
  const engine = openConfiguredEngine(config, { create: false })
  try {
    yield* engine.integrityChecks('everything')
    yield { name: 'search index', problems: () => indexProblems(layout.index, engine) }
    yield {
      name: 'journal, roll-ups and windows',
      problems: async () => audit(await readAuditInput(layout.journal, engine.ledger)),
    }
  } finally {
    await engine.close()
  }
}

/**
 * Returns the problems of the index. Reads the file before the store, so that it is never newer, even during an import.
 */
async function indexProblems(index: string, engine: Engine): Promise<string[]> {
  const loaded = loadSegment(index)
  const source = await engine.openFeedSource()
  try {
    const { position, locations } = source
    return await auditIndex(loaded, {
      lastSeq: position.seq,
      hasChangesSince: seq => source.hasChangesSince(seq),
      entries: locations.all(),
      changedAfter: seq => locations.changedAfter(seq),
    })
  } finally {
    await source.close()
  }
}
