import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/load.ts'
import { adminFault } from '../domain/admin-fault.ts'
import { toCategoryMap } from '../domain/category-map.ts'
import type { Importer, ImportMode, Imports, RejectsFile } from '../domain/importer.ts'
import type { Engine } from '../domain/stores.ts'
import { readCategoryMap } from '../ingest/category-map.ts'
import { importInput } from '../ingest/import.ts'
import { openInput, UnreadableInput } from '../ingest/input.ts'
import { UnclearInput } from '../ingest/mapping/mapping.ts'
import { openRejectsFile } from '../ingest/rejects-file.ts'
import { startSync } from '../ingest/sync.ts'
import { composeImport } from './import.ts'
import { importFields } from './import-fields.ts'

/**
 * Composes imports into a data folder, which is created if it is missing. Pass the engine of a process that has one;
 * otherwise each import opens one.
 */
export const composeImports = (config: Config, engine?: Engine): Imports => ({
  ...importFields,
  isFolder,
  openInput: file => {
    try {
      return openInput(file, process.stdin)
    } catch (error) {
      return inputFault(error, file)
    }
  },
  readCategoryMap: file => {
    const map = readCategoryMap(file)
    return 'problems' in map ? adminFault('category_map_invalid', ['category_map'], { file, ...map }) : map.map
  },
  start: mode => startImport(config, mode, engine),
})

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

async function startImport(
  config: Config,
  { dryRun, replacedSource, wait }: ImportMode,
  engine: Engine | undefined,
): Promise<Importer> {
  const importing = await composeImport(config, { dryRun, ...(wait && { wait }) }, engine)
  const { writer, clock } = importing
  const sync = replacedSource === undefined ? undefined : startSync(writer, replacedSource)
  const configuredMap = toCategoryMap(Object.entries(config.import.categoryMap))
  const configuredStatus = config.import.defaultStatus === 'none' ? undefined : config.import.defaultStatus
  return {
    importInput: async (
      input,
      { signal, source, defaultStatus = configuredStatus, categoryMap: given, ...options },
      observer,
    ) => {
      const categoryMap = new Map([...configuredMap, ...(given ?? [])])
      const optional = { ...(sync && { sync }), ...(signal && { signal }) }
      const all = { ...options, ...optional, defaultSource: source, defaultStatus, categoryMap }
      try {
        return await importInput(input, writer, all, observer, clock)
      } catch (error) {
        return inputFault(error, input.name)
      }
    },
    removeMissing: ({ signal, ...options }) =>
      sync ? sync.finish({ ...options, ...(signal && { signal }) }) : Promise.resolve({ removals: [] }),
    openRejects: (path, name) =>
      dryRun && path === undefined ? noRejectsFile : openRejectsFile(path ?? join(importing.rejectsFolder, name)),
    updateIndex: (changed, progress) => importing.buildIndex(changed, progress),
    close: async () => {
      try {
        await sync?.close()
      } finally {
        await importing.close()
      }
    },
  }
}

/** The rejected rows of a dry run, which are only counted. */
const noRejectsFile: RejectsFile = { write: () => {}, close: async () => undefined }

/** Returns the errors of an unusable input as faults; throws any other error. */
function inputFault(error: unknown, input: string) {
  if (error instanceof UnreadableInput)
    return adminFault('input_unreadable', ['files'], { input, detail: error.message })
  if (error instanceof UnclearInput)
    return adminFault('input_unclear', ['files'], {
      input,
      problem: error.code,
      detail: error.message,
      columns: error.columns,
    })
  throw error
}
