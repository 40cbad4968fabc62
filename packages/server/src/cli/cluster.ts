import type { Command } from 'commander'
import { withEngine } from '../compose/engine.ts'
import type { Config } from '../config/load.ts'
import type { NodeAdmin } from '../domain/node-admin.ts'
import type { Engine } from '../domain/stores.ts'
import { type ClusterResource, clusterResource } from '../resources/cluster.ts'
import { UsageError } from './errors.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'
import { print, textPairs, textTable } from './print.ts'

/** `periplus cluster status` */
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
}

interface ClusterStores {
  readonly config: Config
  readonly engine: Engine
  readonly nodes: NodeAdmin
}

/** Runs `work` with the nodes of the configured database. */
function withNodes(flags: CommonFlags, work: (stores: ClusterStores) => Promise<void>): Promise<void> {
  const { config } = loadCommandConfig(flags)
  return withEngine(config, { create: false }, async engine => {
    const { nodes } = engine
    if (!nodes)
      throw new UsageError(
        `The stores of ${config.data} are files, which one process serves. Only a database (store: postgres://…) has nodes.`,
      )
    await work({ config, engine, nodes })
  })
}

const statusText = ({ nodes, epoch, cache, worker, change_seq, schema }: ClusterResource): string =>
  [
    textTable(
      ['node', 'name', 'role', 'release', 'lives', 'mode', 'epoch', 'journal', 'last call in the ledger'],
      nodes.map(one => [
        one.id,
        one.name,
        one.role,
        one.release,
        one.live ? 'yes' : 'no',
        one.blind ? `${one.mode}, answered alone` : one.mode,
        one.epoch,
        one.journal_position,
        one.last_call_at,
      ]),
    ),
    textPairs([
      ['epoch', `${epoch.number}, ${epoch.state}${epoch.late ? ', ends' : ''}`],
      ['limits', cache === undefined ? 'not shared' : `shared in ${cache}`],
      ['worker', worker ? `${worker.name} (${worker.role}, node ${worker.node})` : 'none'],
      ['last change', change_seq],
      ['schema', `${schema.version}, usable since ${schema.oldest}`],
    ]),
  ].join('\n\n')
