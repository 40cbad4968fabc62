import { relative } from 'node:path'
import type { Config } from '../config/load.ts'
import type { FolderProblem, IntegrityCheck } from '../domain/data-folder.ts'
import type { Engine } from '../domain/stores.ts'
import { auditIndex } from '../search/index/audit.ts'
import { loadSegment } from '../search/index/file.ts'
import { openLayout } from '../store/folder/layout.ts'
import { audit, readAuditInput } from '../usage/audit.ts'

/** Returns the checks of `periplus verify`; a service may run concurrently. */
export function composeVerification(engine: Engine, config: Config): readonly IntegrityCheck[] {
  const layout = openLayout(config.data, { create: false })
  const fileName = (path: string) => relative(layout.root, path).replaceAll('\\', '/')
  const problemsOf = (path: string, sentences: readonly string[]): FolderProblem[] =>
    sentences.map(problem => ({ file: fileName(path), problem }))
  return [
    ...engine.integrityChecks('everything'),
    {
      name: 'search index',
      reads: ['data'],
      problems: async () => problemsOf(layout.index, await indexProblems(layout.index, engine)),
    },
    {
      name: 'journal, roll-ups and windows',
      reads: ['control', 'journal'],
      problems: async () => problemsOf(layout.journal, audit(await readAuditInput(layout.journal, engine.ledger))),
    },
  ]
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
