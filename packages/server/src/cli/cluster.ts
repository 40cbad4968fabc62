import type { Command } from 'commander'
import { findBlobs } from '../compose/blobs.ts'
import { withEngine } from '../compose/engine.ts'
import { forgetNode } from '../compose/forget-node.ts'
import { sharedLimitName } from '../compose/shared-limit-settings.ts'
import type { Config } from '../config/load.ts'
import type { ClusterStatus, NodeAdmin, NodeStatus } from '../domain/node-admin.ts'
import type { Engine } from '../domain/stores.ts'
import { type ClusterResource, clusterResource } from '../resources/cluster.ts'
import { formatDateTime } from '../resources/schema.ts'
import { CommandError, UsageError } from './errors.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'
import { print, textPairs, textTable } from './print.ts'

/** `periplus cluster status|forget|cache` */
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
  addForget(cluster)
  addCache(cluster)
}

function addForget(cluster: Command): void {
  withCommonFlags(cluster.command('forget'))
    .description(
      'Counts what can be reached of the journal of a node whose folder is lost, and removes the node for ever.',
    )
    .argument('<node>', 'id of a node that does not live')
    .action((id: string, flags: CommonFlags) =>
      withNodes(flags, async ({ config, engine, nodes }) => {
        const { node } = requireDead(await nodes.status(), id)
        if (node === engine.journals!.node)
          throw new UsageError(`${config.data} is the folder of node ${node}. Run the command with another folder.`)
        const { calls, isUnproved, unprovedFromMs } = await forgetNode(
          nodes,
          engine.journals!,
          await findBlobs(config),
          node,
        )
        const from = unprovedFromMs === undefined ? undefined : formatDateTime(unprovedFromMs)
        const result = { node, calls, proved: !isUnproved, ...(from !== undefined && { unproved_from: from }) }
        print(flags.json, result, () =>
          [
            `Node ${node} is forgotten. Calls counted now: ${calls}.`,
            ...(isUnproved
              ? [
                  `Part of its journal is lost: its calls${from ? ` from ${from} on` : ''} stay billed, and are not proved.`,
                ]
              : []),
          ].join('\n'),
        )
      }),
    )
}

/** Returns a node that does not live. Throws UsageError for an unknown one, and CommandError for one that lives. */
function requireDead({ nodes }: ClusterStatus, id: string): NodeStatus {
  const found = nodes.find(({ node }) => node === id)
  const known = nodes.map(({ node }) => node).join(', ')
  if (!found)
    throw new UsageError(`There is no node ${id}. ${known === '' ? 'The database has no nodes.' : `Nodes: ${known}.`}`)
  if (found.isLive) throw new CommandError(`Node ${id} lives. Stop it first, and wait ten seconds.`)
  return found
}

function addCache(cluster: Command): void {
  withCommonFlags(cluster.command('cache'))
    .description('Moves the shared limits to another cache. Then set limits.shared of all nodes, and restart them.')
    .argument('<url>', 'valkey://host:6379, valkeys:// for TLS, or postgres for the database')
    .action((shared: string, flags: CommonFlags) =>
      withNodes(flags, async ({ nodes }) => {
        const cache = sharedLimitName(shared)
        if (typeof cache !== 'string') throw new UsageError(cache.error)
        await nodes.moveCache(cache)
        print(flags.json, { cache }, () =>
          [
            `The limits are now shared in ${cache}.`,
            'Set limits.shared on all nodes, and restart them: until then, no node with the old value starts.',
          ].join('\n'),
        )
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
