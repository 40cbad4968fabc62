import { type Command, InvalidArgumentError, Option } from 'commander'
import type { SyncSettings } from '../compose/sync.ts'
import type { Config } from '../config/load.ts'
import { findErrors } from '../config/sync-errors.ts'
import type { FieldMapping } from '../domain/import.ts'
import type { ActorFlag } from './actor.ts'
import { parseDuration } from './duration.ts'
import { UsageError } from './errors.ts'
import { mapping } from './import-flags.ts'
import type { CommonFlags } from './options.ts'

/** The flags of `periplus sync`. */
export interface SyncFlags extends CommonFlags, ActorFlag {
  readonly from?: string
  readonly query?: string
  readonly cursor?: string
  readonly overlap?: string
  readonly kind?: 'locations' | 'reviews'
  readonly map?: readonly FieldMapping[]
  readonly secretFile?: string
  /** Maximum time of a statement, in milliseconds. */
  readonly timeout?: number
  /** Time between two runs, in milliseconds. */
  readonly every?: number
  readonly full?: boolean
  readonly force?: boolean
  readonly index?: boolean
  /** Longest wait for an import, in milliseconds; false for `--no-wait`. */
  readonly wait?: number | false
}

/** Adds the flags to the command. */
export const withSyncFlags = (command: Command): Command =>
  command
    .argument('[name...]', 'syncs of the configuration (default: all), or, with --from, the name of the source')
    .option('--from <url>', 'PostgreSQL database without a password, or Periplus service; instead of the configuration')
    .option('--query <select>', 'of a database: SELECT of the rows, without a condition on the cursor')
    .option('--cursor <column>', 'of a database: column that grows with every change of a row, such as updated_at')
    .option('--overlap <span>', 'how far before the cursor to read again (default: 5 minutes, or 1000 for a number)')
    .addOption(new Option('--kind <kind>', 'kind of the records (default: detected)').choices(['locations', 'reviews']))
    .option('--map <field=column>', 'column to read a field from; repeatable', mapping)
    .option('--secret-file <file>', 'file with the password of the database, or the API key of the service')
    .option('--timeout <duration>', 'maximum time of a statement (default: 10m)', parseDuration)
    .option('--every <duration>', 'keep running, with this time between two runs, such as 5m', parseEvery)
    .option('--full', 'read everything again, and remove the records that the source no longer has')
    .option(
      '--force',
      'continue if more than 10 % of rows are rejected; with --full, remove more than 5 % of the source',
    )
    .option('--wait <duration>', 'longest wait for an import, such as 30m (default: until it ends)', parseDuration)
    .option('--no-wait', 'fail immediately if an import is running')
    .option('--no-index', 'leave the update of the search index to the service')

function parseEvery(text: string): number {
  const ms = parseDuration(text)
  if (ms < 1000) throw new InvalidArgumentError('Must be at least 1s.')
  return ms
}

/** Returns the syncs to run: those of the configuration with the names, or the one that the flags describe. */
export function selectSyncs({ sync }: Config, names: readonly string[], flags: SyncFlags): readonly SyncSettings[] {
  if (flags.from !== undefined) return [describedSync(names, flags, flags.from)]
  const ofFrom = (['query', 'cursor', 'overlap', 'kind', 'map', 'secretFile', 'timeout'] as const).find(
    flag => flags[flag] !== undefined,
  )
  if (ofFrom)
    throw new UsageError(`${flagName(ofFrom)} requires --from URL. Syncs of the configuration have their own settings.`)
  const unknown = names.find(name => !sync.some(one => one.name === name))
  if (unknown !== undefined)
    throw new UsageError(
      `The configuration has no sync ${unknown}. ${sync.length === 0 ? 'Add it to the setting sync, or describe it with --from.' : `It has ${sync.map(({ name }) => name).join(', ')}.`}`,
    )
  if (sync.length === 0)
    throw new UsageError('The configuration has no syncs. Add the setting sync, or use --from URL.')
  return names.length === 0 ? sync : sync.filter(({ name }) => names.includes(name))
}

const flagName = (flag: string): string => `--${flag.replace('F', '-f')}`

const defaultTimeoutMs = 600_000

function describedSync(names: readonly string[], flags: SyncFlags, from: string): SyncSettings {
  const [name] = names
  if (name === undefined || names.length > 1)
    throw new UsageError('With --from, name the source of the records: periplus sync NAME --from URL.')
  if (!/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/.test(name))
    throw new UsageError(
      `The name "${name}" must begin with a letter or digit, continue with letters, digits, dots, dashes or underscores, and have at most 100 characters.`,
    )
  if (!/^(https?|postgres(ql)?):\/\/\S+$/.test(from))
    throw new UsageError(
      '--from must be a URL such as postgres://reader@db.internal/hotels or https://places.example.com.',
    )
  const { query, cursor, overlap, kind, secretFile } = flags
  const settings: SyncSettings = {
    name,
    from,
    map: Object.fromEntries((flags.map ?? []).map(({ field, from: column }) => [field, column])),
    everySeconds: 300,
    timeoutSeconds: Math.ceil((flags.timeout ?? defaultTimeoutMs) / 1000),
    ...(query !== undefined && { query }),
    ...(cursor !== undefined && { cursor }),
    ...(overlap !== undefined && { overlap }),
    ...(kind && { kind }),
    ...(secretFile !== undefined && { secretFile }),
  }
  const hasKey = process.env.PERIPLUS_KEY !== undefined
  const error = findErrors(settings).find(({ path }) => path !== 'secretFile' || !hasKey)
  if (error?.path === 'secretFile')
    throw new UsageError('Specify the API key of the service in PERIPLUS_KEY or with --secret-file FILE.')
  if (error) throw new UsageError(`${flagName(error.path)}: ${error.text}.`)
  return settings
}
