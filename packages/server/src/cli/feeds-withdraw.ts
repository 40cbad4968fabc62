import type { Command } from 'commander'
import { withEngine } from '../compose/engine.ts'
import { composeFeedWithdrawal } from '../compose/feed-withdrawal.ts'
import { feedNames } from '../domain/feed.ts'
import { systemClock } from '../kit/clock.ts'
import { withdrawnSnapshotResource } from '../resources/feed-snapshot.ts'
import { withdrawSnapshot } from '../usecases/admin/withdraw-snapshot.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { unwrapOrThrow } from './fault-text.ts'
import { parseVersionName } from './feeds-pins.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'
import { print } from './print.ts'

interface WithdrawFlags extends CommonFlags, ActorFlag {
  readonly reason?: string
}

/** `periplus feeds withdraw` */
export function addFeedsWithdrawCommand(feeds: Command): void {
  withActorFlag(withCommonFlags(feeds.command('withdraw')))
    .description('Withdraws a snapshot: its downloads return 410, and its files are deleted.')
    .argument('<feed>', feedNames.join(', '))
    .argument('<version>', 'version, such as 1')
    .argument('<snapshot>', 'id of the snapshot')
    .option('--reason <text>', 'reason of the withdrawal (required)')
    .action(async (feed: string, version: string, snapshotId: string, flags: WithdrawFlags) => {
      const { config } = loadCommandConfig(flags)
      await withEngine(config, { create: false }, async engine => {
        const stores = { withdrawal: composeFeedWithdrawal(engine, config), clock: systemClock }
        const input = { feed, version: parseVersionName(version), snapshotId, reason: flags.reason ?? '' }
        const withdrawn = unwrapOrThrow(await withdrawSnapshot(stores, cliActor(flags.actor), input))
        print(flags.json, withdrawnSnapshotResource(withdrawn), () => `Snapshot ${snapshotId} of ${feed} is withdrawn.`)
      })
    })
}
