import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/load.ts'
import type { DataWriter } from '../domain/stores.ts'
import { type Clock, systemClock } from '../kit/clock.ts'
import { layoutOf } from '../store/folder/layout.ts'
import { holdLock } from '../store/folder/lock.ts'
import { pepperOf } from '../store/folder/pepper.ts'
import { sqliteDecisions } from '../store/sqlite/decisions.ts'
import { copyOf } from '../store/sqlite/open.ts'
import { sqliteWriter } from '../store/sqlite/writer.ts'
import { type BuildProgress, buildIndex } from './build-index.ts'
import { openControl, openData } from './stores.ts'

/** Up to this many changes a running service follows by itself. */
const followedChanges = 5000

/** What an import works with; `close` ends it, and undoes everything when it was a dry run. */
export interface Importing {
  readonly writer: DataWriter
  readonly clock: Clock
  /** Where rejected rows go when no file was named. */
  readonly rejectsFolder: string
  /** Builds the search index when there is none, or when so much has changed that following would take longer. */
  buildIndex(changed: number, progress: BuildProgress): Promise<void>
  close(): void
}

/**
 * The stores for an import; a second one on the same folder is refused. A dry run works on a private copy of the ids
 * and in a transaction on the data that is rolled back, so that it holds up nobody who serves, bills or makes keys.
 */
export function composeImport(config: Config, options: { dryRun: boolean }): Importing {
  const layout = layoutOf(config.data, { create: true })
  const lock = holdLock(layout.importLock, `Another import is running on ${config.data}; wait until it has ended.`)
  // Copied into the database more rarely than SQLite does by itself: the pages that each batch changes are the same.
  const ids = openControl(layout, { cacheMb: 64, logMb: 64 })
  const control = options.dryRun ? copyOf(ids) : ids
  const data = openData(layout, { cacheMb: 512, mapped: false, logMb: 256 })
  if (options.dryRun) data.exec('BEGIN IMMEDIATE')
  const writer = sqliteWriter(control, data, sqliteDecisions(control, pepperOf(layout.pepper)), systemClock)
  return {
    writer,
    clock: systemClock,
    rejectsFolder: join(layout.root, 'rejects'),
    buildIndex: async (changed, progress) => {
      if (options.dryRun || (changed <= followedChanges && existsSync(layout.index))) return
      await buildIndex(layout.data, layout.index, systemClock.nowMs(), progress)
    },
    close: () => {
      if (options.dryRun) data.exec('ROLLBACK')
      writer.close()
      lock.release()
    },
  }
}
