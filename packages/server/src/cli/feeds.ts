import { type Command, Option } from 'commander'
import { type BuildStep, type BuiltSnapshot, composeFeedBuild, snapshotsOf } from '../compose/feeds.ts'
import type { Config } from '../config/load.ts'
import { type FeedName, type FileEncoding, feedNames, type Manifest, type SnapshotKind } from '../domain/feed.ts'
import { MissingDataFolder } from '../domain/store-errors.ts'
import { resolveLifecycle } from '../versions/lifecycle.ts'
import { addPinCommands, versionName } from './feeds-pins.ts'
import { addFeedsPullCommand } from './feeds-pull.ts'
import { type CommonFlags, configOf, withCommonFlags } from './options.ts'
import { Failed, WrongUse } from './outcome.ts'
import { print, textTable } from './print.ts'
import { type Progress, showProgress } from './progress.ts'

interface BuildFlags extends CommonFlags {
  readonly full?: boolean
  readonly delta?: boolean
  readonly feed?: readonly FeedName[]
  readonly version?: readonly string[]
  readonly encoding?: FileEncoding
  readonly wait?: boolean
}

/** `periplus feeds build|list|pin|pins|pull` */
export function addFeedsCommand(program: Command): void {
  const feeds = program
    .command('feeds')
    .description('bulk delivery: snapshots of everything, and who takes which version')
  addBuild(feeds)
  addList(feeds)
  addPinCommands(feeds)
  addFeedsPullCommand(feeds)
}

const feedOption = () => new Option('--feed <name...>', 'only these feeds; repeatable').choices([...feedNames])

const versions = (text: string, before: readonly string[] = []): readonly string[] => [...before, versionName(text)]

function addBuild(feeds: Command): void {
  withCommonFlags(feeds.command('build'))
    .description('build snapshots: a full where one is due, else what has changed')
    .option('--full', 'everything, and before it the delta that leads there')
    .option('--delta', 'what has changed since the last snapshot')
    .addOption(feedOption())
    .option('--version <version>', 'only this version; repeatable', versions)
    .addOption(
      new Option('--encoding <name>', 'how parts are compressed (default: feeds.encoding)').choices(['zstd', 'gzip']),
    )
    .option('--no-wait', 'end at once where another build is running')
    .action(async (flags: BuildFlags) => {
      if (flags.full && flags.delta) throw new WrongUse('Say --full or --delta, not both.')
      const { config } = configOf(flags, flags.encoding === undefined ? {} : { 'feeds.encoding': flags.encoding })
      const { versions: known } = resolveLifecycle(config)
      const unknown = flags.version?.find(name => !known.some(one => one.name === name && one.version))
      if (unknown !== undefined)
        throw new WrongUse(`There is no version ${unknown}; there are ${known.map(one => one.name).join(', ')}.`)
      const kind: SnapshotKind | undefined = flags.full ? 'full' : flags.delta ? 'delta' : undefined
      const request = {
        ...(kind && { kind }),
        ...(flags.feed && { feeds: flags.feed }),
        ...(flags.version && { versions: flags.version }),
      }
      const built = await composeFeedBuild(config, request, { mayWait: flags.wait !== false, onStep: shownSteps() })
      if ('refused' in built) throw new Failed(built.refused)
      print(flags.json, { built: built.map(builtJson) }, () => builtText(built))
    })
}

function addList(feeds: Command): void {
  withCommonFlags(feeds.command('list'))
    .description('the snapshots that are there')
    .addOption(feedOption())
    .action(async (flags: CommonFlags & { feed?: readonly FeedName[] }) => {
      const { config } = configOf(flags)
      const all = listedSnapshots(config)
      const shown = all
        .filter(({ edition }) => flags.feed?.includes(edition.feed) ?? true)
        .flatMap(({ snapshots }) => snapshots.map(({ manifest }) => manifest))
      print(flags.json, { snapshots: shown.map(listed) }, () =>
        shown.length === 0
          ? "There is no snapshot yet; 'periplus feeds build' makes the first ones."
          : textTable(
              ['feed', 'version', 'snapshot', 'kind', 'sequence', 'made', 'records', 'bytes'],
              shown.map(m => [
                m.feed,
                m.version,
                m.snapshot_id,
                m.kind,
                m.sequence,
                m.created_at,
                m.records,
                bytesOf(m),
              ]),
            ),
      )
    })
}

/** Progress on standard error, and what has to be said on the way. */
function shownSteps(): (step: BuildStep) => void {
  let shown: Progress | undefined
  let name = ''
  let startMs = 0
  return step => {
    switch (step.what) {
      case 'waiting':
        process.stderr.write('Another build of feeds is running; this one goes on when it has ended.\n')
        break
      case 'begin':
        name = `${step.feed} v${step.version} ${step.kind}`
        startMs = performance.now()
        if (step.instead)
          process.stderr.write(`${step.feed} v${step.version}: there is no full to begin with, so this makes one.\n`)
        break
      case 'progress':
        shown ??= showProgress(name, step.total)
        shown.update({ bytes: step.done, rows: step.done, seconds: (performance.now() - startMs) / 1000 })
        break
      case 'end':
        shown?.stop()
        shown = undefined
    }
  }
}

/** The snapshots that are there; a sentence where there is no data at all. */
function listedSnapshots(config: Config) {
  try {
    return snapshotsOf(config)
  } catch (error) {
    throw error instanceof MissingDataFolder ? new Failed(error.message) : error
  }
}

const bytesOf = ({ files }: Manifest): number => files.reduce((sum, file) => sum + file.bytes, 0)

const listed = (m: Manifest) => ({
  feed: m.feed,
  version: m.version,
  snapshot_id: m.snapshot_id,
  kind: m.kind,
  sequence: m.sequence,
  created_at: m.created_at,
  records: m.records,
  upserts: m.upserts,
  tombstones: m.tombstones,
  bytes: bytesOf(m),
})

const builtJson = ({ manifest, seconds }: BuiltSnapshot) => ({
  ...listed(manifest),
  seconds: Math.round(seconds * 1000) / 1000,
})

const builtText = (built: readonly BuiltSnapshot[]): string =>
  built.length === 0
    ? "Nothing was built: feeds are built in the latest stable version and in those that keys with feeds are pinned to; 'periplus feeds pins' shows them."
    : textTable(
        ['feed', 'version', 'snapshot', 'kind', 'records', 'upserts', 'tombstones', 'bytes', 'seconds'],
        built.map(({ manifest: m, seconds }) => [
          m.feed,
          m.version,
          m.snapshot_id,
          m.kind,
          m.records,
          m.upserts,
          m.tombstones,
          bytesOf(m),
          seconds.toFixed(2),
        ]),
      )
