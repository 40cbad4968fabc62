import type { Command } from 'commander'
import {
  type MigrationResult,
  type MoveListener,
  type MoveStep,
  migrateToDatabase,
  migrateToFolder,
} from '../compose/migration.ts'
import { findDatabaseUrlError } from '../config/database-url.ts'
import type { Config } from '../config/load.ts'
import { folderStore } from '../config/schema-store.ts'
import { parseBlobAddress } from '../domain/blob-address.ts'
import { UsageError } from './errors.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'
import { print } from './print.ts'
import { type Progress, showProgress } from './progress.ts'

const stepTexts: Readonly<Record<MoveStep, string>> = {
  copy: 'Copying places and reviews.',
  files: 'Fetching feeds, the search index and the journals of all nodes.',
  follow: 'Comparing both sides, and following new changes.',
  lock: 'Imports and decisions wait until the end.',
  end_service: 'Waiting for the end of the service.',
  control: 'Copying ids, keys, people and the ledger, and comparing both sides.',
  complete: 'Storing that the data has moved.',
  share: 'Uploading feeds, the search index and the journal, and reading them back.',
}

interface MigrateFlags extends CommonFlags {
  readonly to: string
  readonly blobs?: string
}

/** `periplus migrate` */
export function addMigrateCommand(program: Command): void {
  withCommonFlags(program.command('migrate'))
    .description(
      'Moves the data folder to a PostgreSQL database, or a database to a new data folder. Services may run; they end before the last step.',
    )
    .requiredOption(
      '--to <target>',
      'URL of an empty database, postgres://user@host/database; or folder, to move the database of the setting store to --data',
    )
    .option(
      '--blobs <place>',
      'place of the files that nodes share, as in the setting blobs, to which or from which files are copied',
    )
    .action(async (flags: MigrateFlags) => {
      const { config } = loadCommandConfig(flags)
      const { listener, stop } = showMove()
      const result = await migrate(config, flags, listener).finally(stop)
      print(flags.json, { ok: true, ...result }, () => resultText(result, flags))
    })
}

function migrate(config: Config, flags: MigrateFlags, listener: MoveListener): Promise<MigrationResult> {
  const blobs = blobsOf(flags)
  if (flags.to !== folderStore) {
    const error = findDatabaseUrlError(flags.to)
    if (error) throw new UsageError(`Name an empty database with --to, or folder: ${error}.`)
    return migrateToDatabase(config, flags.to, blobs, listener)
  }
  const { PERIPLUS_PEPPER_FILE: pepperFile } = process.env
  if (config.store === folderStore)
    throw new UsageError(
      'Name the database that moves to the folder with the setting store or PERIPLUS_STORE, such as postgres://periplus@db.internal/periplus.',
    )
  if (pepperFile === undefined)
    throw new UsageError('Name a copy of the file pepper of a node with PERIPLUS_PEPPER_FILE: keys work with it only.')
  return migrateToFolder({ ...config, ...(blobs !== undefined && { blobs }) }, pepperFile, listener)
}

/** Throws UsageError for an address of another form. */
function blobsOf({ blobs }: MigrateFlags): string | undefined {
  const address = blobs === undefined ? undefined : parseBlobAddress(blobs)
  if (typeof address === 'string') throw new UsageError(`--blobs: ${address}`)
  return blobs
}

const resultText = ({ data, to, tables, files }: MigrationResult, flags: MigrateFlags): string =>
  [
    tables.length === 0
      ? `The data of ${data} has moved to ${to}.`
      : `The data of ${data} has moved to ${to}: ${tables.reduce((sum, { rows }) => sum + rows, 0)} rows of ${tables.length} tables are equal on both sides.`,
    ...(files
      ? [
          `Feeds have ${files.feeds} files, the search index ${files.index} and the journal ${files.journal}; each was read completely.`,
        ]
      : []),
    ...(flags.to === folderStore ? afterFolder(to) : afterDatabase(data, flags)),
  ].join('\n')

const afterDatabase = (data: string, { blobs }: MigrateFlags): string[] => [
  blobs === undefined
    ? 'Set the setting store to that URL, and start the service with the same folder: its journal, feeds and request log continue.'
    : `Set the setting store to that URL, and blobs to ${blobs}, and start the service with the same folder.`,
  `The old stores are kept in ${data} with names that end with .moved.bak. Erasures do not reach them: delete them soon.`,
]

const afterFolder = (folder: string): string[] => [
  `Remove the settings store, blobs and limits.shared, and start one service with the folder ${folder}.`,
  'The database takes no changes any more. Erasures do not reach it, nor the blobs: delete both soon.',
]

/** Shows steps and progress on standard error. */
function showMove(): { listener: MoveListener; stop: () => void } {
  let shown: { readonly table: string; readonly progress: Progress; readonly startMs: number } | undefined
  const stop = () => {
    shown?.progress.stop()
    shown = undefined
  }
  return {
    stop,
    listener: {
      onStep: step => {
        stop()
        process.stderr.write(`${stepTexts[step]}\n`)
      },
      onProgress: (table, done, total) => {
        if (shown?.table !== table) {
          stop()
          shown = { table, progress: showProgress(table, total), startMs: performance.now() }
        }
        const seconds = (performance.now() - shown.startMs) / 1000
        shown.progress.update({ bytes: done, rows: done, seconds })
      },
    },
  }
}
