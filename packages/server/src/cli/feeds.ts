import type { Command } from 'commander'
import { composeFeedAdmin } from '../compose/feed-admin.ts'
import { describeWithheld } from '../compose/feed-status.ts'
import type { FeedName } from '../domain/feed.ts'
import { type FeedSnapshotResource, feedSnapshotListResource } from '../resources/feed-snapshot.ts'
import { listSnapshots } from '../usecases/admin/list-snapshots.ts'
import { cliActor } from './actor.ts'
import { feedOption } from './feed-option.ts'
import { addFeedsBuildCommand } from './feeds-build.ts'
import { addPinCommands } from './feeds-pins.ts'
import { addFeedsPullCommand } from './feeds-pull.ts'
import { addFeedsWithdrawCommand } from './feeds-withdraw.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'
import { print, textTable } from './print.ts'

/** `periplus feeds build|list|pin|pins|pull|withdraw` */
export function addFeedsCommand(program: Command): void {
  const feeds = program
    .command('feeds')
    .description('Builds, lists and pulls bulk snapshots, and pins keys to the version of a feed.')
  addFeedsBuildCommand(feeds)
  addList(feeds)
  addPinCommands(feeds)
  addFeedsPullCommand(feeds)
  addFeedsWithdrawCommand(feeds)
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
          one.feed,
          one.version,
          one.snapshot_id,
          one.kind,
          one.sequence,
          one.created_at,
          one.records,
          one.bytes,
        ]),
      )
