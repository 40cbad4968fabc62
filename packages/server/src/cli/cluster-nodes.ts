import { withEngine } from '../compose/engine.ts'
import type { Config } from '../config/load.ts'
import type { NodeAdmin } from '../domain/node-admin.ts'
import type { NodeJournals } from '../domain/node-journals.ts'
import type { Engine } from '../domain/stores.ts'
import { CommandError, UsageError } from './errors.ts'
import { type CommonFlags, loadCommandConfig } from './options.ts'

/** The stores of the commands about nodes. */
export interface ClusterStores {
  readonly config: Config
  readonly engine: Engine
  readonly nodes: NodeAdmin
  readonly journals: NodeJournals
}

/** Runs `work` with the nodes of the configured database. */
export function withNodes(flags: CommonFlags, work: (stores: ClusterStores) => Promise<void>): Promise<void> {
  const { config } = loadCommandConfig(flags)
  return withEngine(config, { create: false }, async engine => {
    const { nodes, journals } = engine
    if (!nodes || !journals)
      throw new UsageError(
        `The stores of ${config.data} are files, which one process serves. Only a database (store: postgres://…) has nodes.`,
      )
    await work({ config, engine, nodes, journals })
  })
}

/** Throws UsageError for a node that the database does not know, and CommandError for one that lives. */
export async function requireDead(nodes: NodeAdmin, id: string): Promise<void> {
  const { nodes: all } = await nodes.status()
  const found = all.find(({ node }) => node === id)
  if (found?.isLive) throw new CommandError(`Node ${id} lives. Stop it first, and wait ten seconds.`)
  if (found || (await nodes.find(id))?.state === 'known') return
  const known = all.map(({ node }) => node).join(', ')
  throw new UsageError(`There is no node ${id}. ${known === '' ? 'The database has no nodes.' : `Nodes: ${known}.`}`)
}
