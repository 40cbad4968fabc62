import { relative } from 'node:path'
import type { Config } from '../config/load.ts'
import { defectText, type FolderPart, type FolderProblem, type IntegrityCheck } from '../domain/data-folder.ts'
import { findDiskFailure, StoreFailure } from '../domain/store-errors.ts'
import type { Engine } from '../domain/stores.ts'
import { checkFeeds } from '../feeds/check-feeds.ts'
import { checkCatalogue } from '../feeds/shared/check-catalogue.ts'
import { checkIndex } from '../search/index/check-index.ts'
import { loadIndex } from '../search/index/file.ts'
import { openForChecks } from '../store/engine.ts'
import { type Layout, listPacked } from '../store/folder/layout.ts'
import { findBlobs } from './blobs.ts'
import { checkJournals } from './check-journals.ts'
import { checkPacked } from './check-packed.ts'
import { describeEngine, printReplacedFile } from './engine.ts'
import { findLazyBlobs } from './lazy-blobs.ts'
import { refreshFeeds } from './shared-feeds.ts'

/**
 * Calls `work` with the checks of `periplus verify`: all that the intact parts of the data folder permit. A service may
 * run concurrently. Throws MissingDataFolder and NewerSchema.
 */
export async function withChecks<T>(
  config: Config,
  work: (checks: readonly IntegrityCheck[]) => Promise<T>,
): Promise<T> {
  const { engine, layout, defects } = openForChecks(describeEngine(config), printReplacedFile)
  const problems = async () => defects.map(defect => ({ file: defect.file, problem: defectText(defect) }))
  const isUnusable = (part: FolderPart) => defects.some(defect => defect.part === part)
  const checks = composeChecks(config, engine, layout)
    .filter(({ reads }) => !reads.some(isUnusable))
    .map(check => withFailures(check, layout.root))
  try {
    return await work([{ name: 'parts of the data folder', reads: [], problems }, ...checks])
  } finally {
    await engine.close()
  }
}

/** Returns a check that reports a file that cannot be read as a problem, so that the other checks still run. */
const withFailures = (check: IntegrityCheck, root: string): IntegrityCheck => ({
  ...check,
  problems: async () => {
    try {
      return await check.problems()
    } catch (error) {
      const failure = findDiskFailure(error)
      if (!failure) throw error
      const file = failure.file === undefined ? '.' : relative(root, failure.file).replaceAll('\\', '/')
      const { message } = new StoreFailure(failure.kind, failure.file ?? root)
      return [{ file, problem: `The check '${check.name}' could not be completed. ${message}` }]
    }
  },
})

function composeChecks(config: Config, engine: Engine, layout: Layout): readonly IntegrityCheck[] {
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
      name: 'packed bodies',
      reads: ['data'],
      problems: async () => {
        const found = listPacked(layout).map(async path => problemsOf(path, await checkPacked(path, engine)))
        return (await Promise.all(found)).flat()
      },
    },
    {
      name: 'journal, roll-ups and windows',
      reads: ['control', 'journal'],
      problems: async () => checkJournals(engine, layout.journal, findLazyBlobs(config)),
    },
    {
      name: 'feeds',
      reads: [],
      problems: async () => {
        const blobs = await findBlobs(config)
        if (blobs) await refreshFeeds(config, layout)
        const found = await checkFeeds(layout.feeds, { areBlobs: blobs !== undefined })
        const local = found.map(({ file, problem }) => ({ file: fileName(file), problem }))
        return blobs ? [...local, ...(await checkCatalogue(blobs))] : local
      },
    },
  ]
}

/**
 * Returns the problems of the index. Reads the file before the store, so that it is never newer, even during an import.
 */
async function indexProblems(index: string, engine: Engine): Promise<string[]> {
  const loaded = loadIndex(index)
  const source = await engine.openFeedSource()
  try {
    const { position, locations } = source
    return await checkIndex(loaded, {
      lastSeq: position.seq,
      hasChangesSince: seq => source.hasChangesSince(seq),
      entries: locations.all(),
      changedAfter: seq => locations.changedAfter(seq),
    })
  } finally {
    await source.close()
  }
}
