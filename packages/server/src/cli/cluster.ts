import type { Command } from 'commander'
import { sharedLimitName } from '../compose/shared-limit-settings.ts'
import { systemClock } from '../kit/clock.ts'
import { type ClusterResource, clusterResource } from '../resources/cluster.ts'
import { recordOf } from '../usecases/admin/record.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { addFoldCommand } from './cluster-fold.ts'
import { addForgetCommand } from './cluster-forget.ts'
import { withNodes } from './cluster-nodes.ts'
import { UsageError } from './errors.ts'
import { type CommonFlags, withCommonFlags } from './options.ts'
import { print, textPairs, textTable } from './print.ts'

/** `periplus cluster status|fold|forget|cache` */
export function addClusterCommand(program: Command): void {
  const cluster = program.command('cluster').description('Shows and changes the nodes of a database.')
  withCommonFlags(cluster.command('status'))
    .description(
      'Shows nodes, epoch, cache and worker. A node lives if it shows a sign of life within two seconds, or is connected.',
    )
    .action((flags: CommonFlags) =>
      withNodes(flags, async ({ nodes, engine }) => {
        const status = clusterResource(await nodes.status(), await engine.changes.lastSeq())
        print(flags.json, status, () => statusText(status))
      }),
    )
  addFoldCommand(cluster)
  addForgetCommand(cluster)
  addCache(cluster)
}

function addCache(cluster: Command): void {
  withActorFlag(withCommonFlags(cluster.command('cache')))
    .description('Moves the shared limits to another cache. Then set limits.shared of all nodes, and restart them.')
    .argument('<url>', 'valkey://host:6379, valkeys:// for TLS, or postgres for the database')
    .action((shared: string, flags: CommonFlags & ActorFlag) =>
      withNodes(flags, async ({ nodes }) => {
        const cache = sharedLimitName(shared)
        if (typeof cache !== 'string') throw new UsageError(cache.error)
        const target = await nodes.database()
        await nodes.moveCache(cache, before =>
          recordOf(systemClock, cliActor(flags.actor), {
            action: 'cluster.move_cache',
            target,
            ...(before !== undefined && { before: { cache: before } }),
            after: { cache },
          }),
        )
        print(flags.json, { cache }, () =>
          [
            `The limits are now shared in ${cache}.`,
            'Set limits.shared on all nodes, and restart them: until then, no node with the old value starts.',
          ].join('\n'),
        )
      }),
    )
}

const statusText = ({ nodes, epoch, cache, worker, change_seq, schema }: ClusterResource): string => {
  const configs = new Set(nodes.flatMap(({ live, config }) => (live && config !== undefined ? [config] : [])))
  return [
    textTable(
      [
        'node',
        'name',
        'role',
        'release',
        'level',
        'lives',
        'mode',
        'epoch',
        'journal',
        'counted to',
        'config',
        'downloads',
      ],
      nodes.map(one => [
        one.id,
        one.name,
        one.role,
        one.release,
        one.level,
        one.live ? 'yes' : 'no',
        one.blind ? `${one.mode}, answered alone` : one.mode,
        one.epoch,
        one.journal_position,
        one.counted_to ?? one.last_call_at,
        one.config?.slice(0, digestChars),
        one.open_downloads,
      ]),
    ),
    textPairs([
      ['epoch', `${epoch.number}, ${epoch.state}${epoch.late ? ', ends' : ''}`],
      ['limits', cache === undefined ? 'not shared' : `shared in ${cache}`],
      ['worker', worker ? `${worker.name} (${worker.role}, node ${worker.node})` : 'none'],
      ['last change', change_seq],
      ['schema', `${schema.version}, for releases of level ${schema.oldest} or higher`],
    ]),
    ...(configs.size > 1 ? ["The settings of live nodes differ: compare them with 'periplus config print'."] : []),
  ].join('\n\n')
}

/** Number of characters of a digest that distinguish the settings of nodes. */
const digestChars = 8
