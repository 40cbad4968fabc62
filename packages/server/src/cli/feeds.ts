import { type Command, Option } from 'commander'
import { composeFeedAdmin } from '../compose/feed-admin.ts'
import { describeDamaged, describeWithheld } from '../compose/feed-status.ts'
import { type FeedName, type FileEncoding, feedNames, type SnapshotKind } from '../domain/feed.ts'
import type { FeedBuildEvent } from '../domain/feed-build.ts'
import {
  type FeedBuildResource,
  type FeedSnapshotResource,
  feedBuildResource,
  feedSnapshotListResource,
} from '../resources/feed-snapshot.ts'
import { buildFeeds } from '../usecases/admin/build-feeds.ts'
import { listSnapshots } from '../usecases/admin/list-snapshots.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { CommandError, UsageError } from './errors.ts'
import { unwrapOrThrow } from './fault-text.ts'
import { addPinCommands, parseVersionName } from './feeds-pins.ts'
import { addFeedsPullCommand } from './feeds-pull.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'
import { print, textTable } from './print.ts'
import { type Progress, showProgress } from './progress.ts'

/** `periplus feeds build|list|pin|pins|pull` */
export function addFeedsCommand(program: Command): void {
  const feeds = program
    .command('feeds')
    .description('Builds, lists and pulls bulk snapshots, and pins keys to the version of a feed.')
  addBuild(feeds)
  addList(feeds)
  addPinCommands(feeds)
  addFeedsPullCommand(feeds)
}

const feedOption = () => new Option('--feed <name...>', 'only these feeds; repeatable').choices([...feedNames])

const versions = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  parseVersionName(text),
]

interface BuildFlags extends CommonFlags, ActorFlag {
  readonly full?: boolean
  readonly delta?: boolean
  readonly feed?: readonly FeedName[]
  readonly version?: readonly string[]
  readonly encoding?: FileEncoding
  readonly wait?: boolean
  readonly force?: boolean
}

function addBuild(feeds: Command): void {
  withActorFlag(withCommonFlags(feeds.command('build')))
    .description(
      'Builds snapshots: a full snapshot if one is due, otherwise a delta with the changes since the last one.',
    )
    .option('--full', 'build full snapshots, each preceded by a delta to the same state')
    .option('--delta', 'build deltas with the changes since the last snapshot')
    .addOption(feedOption())
    .option('--version <version>', 'only this version; repeatable', versions)
    .addOption(
      new Option('--encoding <name>', 'compression of the parts (default: feeds.encoding)').choices(['zstd', 'gzip']),
    )
    .option('--force', 'also publish what deletes more than 5 % of the records, or follows another data store')
    .option('--no-wait', 'fail immediately if another build is running')
    .action(async (flags: BuildFlags) => {
      const kind = kindOf(flags)
      const { config } = loadCommandConfig(
        flags,
        flags.encoding === undefined ? {} : { 'feeds.encoding': flags.encoding },
      )
      const result = unwrapOrThrow(
        await buildFeeds(composeFeedAdmin(config), cliActor(flags.actor), {
          kind,
          feeds: flags.feed,
          versions: flags.version,
          mayWait: flags.wait !== false,
          force: flags.force === true,
          onEvent: eventPrinter(),
        }),
      )
      const resource = feedBuildResource(result)
      if (flags.json || result.built.length > 0 || result.withheld.length === 0)
        print(flags.json, resource, () => buildText(resource))
      if (result.withheld.length > 0) throw new CommandError(result.withheld.map(describeWithheld).join('\n'))
    })
}

function kindOf({ full, delta }: BuildFlags): SnapshotKind | undefined {
  if (full && delta) throw new UsageError('Use --full or --delta, not both.')
  if (full) return 'full'
  return delta ? 'delta' : undefined
}

function addList(feeds: Command): void {
  withCommonFlags(feeds.command('list'))
    .description('Lists the stored snapshots.')
    .addOption(feedOption())
    .action(async (flags: CommonFlags & { feed?: readonly FeedName[] }) => {
      const { config } = loadCommandConfig(flags)
      const { manifests, withheld } = await listSnapshots(composeFeedAdmin(config), cliActor(), { feeds: flags.feed })
      const list = feedSnapshotListResource(manifests, withheld)
      print(flags.json, list, () => [listText(list.snapshots), ...withheld.map(describeWithheld)].join('\n'))
    })
}

const listText = (snapshots: readonly FeedSnapshotResource[]): string =>
  snapshots.length === 0
    ? "There are no snapshots yet. Run 'periplus feeds build' to build them."
    : textTable(
        ['feed', 'version', 'snapshot', 'kind', 'sequence', 'created', 'records', 'bytes'],
        snapshots.map(one => [
          ...[one.feed, one.version, one.snapshot_id, one.kind],
          ...[one.sequence, one.created_at, one.records, one.bytes],
        ]),
      )

const buildText = ({ built }: FeedBuildResource): string =>
  built.length === 0
    ? "Nothing was built: feeds are built in the latest stable version and in the versions that keys with feeds are pinned to. Run 'periplus feeds pins' to see the pins."
    : textTable(
        ['feed', 'version', 'snapshot', 'kind', 'records', 'upserts', 'tombstones', 'bytes', 'seconds'],
        built.map(one => [
          ...[one.feed, one.version, one.snapshot_id, one.kind],
          ...[one.records, one.upserts, one.tombstones, one.bytes],
          one.seconds.toFixed(2),
        ]),
      )

/** Returns a function that prints the events of a build to standard error. */
function eventPrinter(): (event: FeedBuildEvent) => void {
  let shown: Progress | undefined
  let name = ''
  let startMs = 0
  return event => {
    switch (event.type) {
      case 'waiting':
        process.stderr.write('Waiting for another build of feeds to finish.\n')
        break
      case 'start':
        name = `${event.feed} v${event.version} ${event.kind}`
        startMs = performance.now()
        if (event.isFallback)
          process.stderr.write(
            `${event.feed} v${event.version}: no full snapshot exists, so a full one is built instead of a delta.\n`,
          )
        break
      case 'damaged':
        process.stderr.write(`${describeDamaged(event.file)} The build continues without it.\n`)
        break
      case 'progress':
        shown ??= showProgress(name, event.total)
        shown.update({ bytes: event.done, rows: event.done, seconds: (performance.now() - startMs) / 1000 })
        break
      case 'end':
        shown?.stop()
        shown = undefined
    }
  }
}
