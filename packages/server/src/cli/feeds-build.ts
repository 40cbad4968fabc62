import { type Command, Option } from 'commander'
import { composeFeedAdmin } from '../compose/feed-admin.ts'
import { describeWithheld } from '../compose/feed-status.ts'
import type { FeedName, FileEncoding, SnapshotKind } from '../domain/feed.ts'
import type { JsonObject } from '../kit/json.ts'
import { toJsonObject } from '../kit/to-json.ts'
import { type FeedBuildResource, feedBuildResource } from '../resources/feed-snapshot.ts'
import { buildFeeds } from '../usecases/admin/build-feeds.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { CommandError, UsageError } from './errors.ts'
import { feedOption } from './feed-option.ts'
import { createBuildRecord, eventPrinter } from './feeds-build-events.ts'
import { parseVersionName } from './feeds-pins.ts'
import { feedTable } from './feeds-table.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'
import { print } from './print.ts'
import { recordJob } from './recorded-job.ts'

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

/** `periplus feeds build` */
export function addFeedsBuildCommand(feeds: Command): void {
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
      const result = await recordJob(config, {
        kind: 'feeds' as const,
        actor: cliActor(flags.actor),
        request: describeBuild(flags),
        work: async job => {
          await job.begin()
          const [show, record] = [eventPrinter(), createBuildRecord(job)]
          return buildFeeds(composeFeedAdmin(config, job.signal), job.actor, {
            kind,
            feeds: flags.feed,
            versions: flags.version,
            mayWait: flags.wait !== false,
            force: flags.force === true,
            onEvent: event => {
              show(event)
              record(event)
            },
          })
        },
        describe: built => ({ result: toJsonObject(feedBuildResource(built)) }),
      })
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

const buildText = ({ built }: FeedBuildResource): string =>
  built.length === 0
    ? "Nothing was built: feeds are built in the latest stable version and in the versions that keys with feeds are pinned to. Run 'periplus feeds pins' to see the pins."
    : feedTable(built)

const describeBuild = (flags: BuildFlags): JsonObject =>
  toJsonObject({ kind: kindOf(flags), feeds: flags.feed, versions: flags.version, force: flags.force === true })
