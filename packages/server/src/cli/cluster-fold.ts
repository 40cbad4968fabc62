import type { Command } from 'commander'
import { type FoldedFolder, findOrphan, foldFolder } from '../compose/fold-folder.ts'
import { systemClock } from '../kit/clock.ts'
import { recordOf } from '../usecases/admin/record.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { requireDead, withNodes } from './cluster-nodes.ts'
import { type CommonFlags, withCommonFlags } from './options.ts'
import { print } from './print.ts'

/** `periplus cluster fold DIR` */
export function addFoldCommand(cluster: Command): void {
  withActorFlag(withCommonFlags(cluster.command('fold')))
    .description('Counts the journal in the folder of a node that does not live, from any machine.')
    .argument('<dir>', 'data folder of the node, or a copy of its newest state')
    .action((dir: string, flags: CommonFlags & ActorFlag) =>
      withNodes(flags, async ({ config, engine, nodes }) => {
        const orphan = await findOrphan(nodes, dir)
        const { node, root } = orphan
        await requireDead(nodes, node)
        const folded = await foldFolder(orphan, engine, config)
        const { calls, isShipped, problems } = folded
        const record = recordOf(systemClock, cliActor(flags.actor), {
          action: 'node.fold',
          target: node,
          after: { calls },
        })
        const hasChanged = await nodes.leave(node, calls > 0, record)
        print(flags.json, { node, calls, shipped: isShipped, problems }, () =>
          hasChanged
            ? foldedText(node, folded)
            : [`The journal of node ${node} in ${root} has been folded already.`, ...problems].join('\n'),
        )
      }),
    )
}

const foldedText = (node: string, { calls, isShipped, problems }: FoldedFolder): string =>
  [
    `The journal of node ${node} is folded. Calls counted now: ${calls}.`,
    isShipped
      ? 'The blobs have a copy of it, which proves its calls.'
      : 'Its calls are proved while the folder is served: there are no blobs that could have a copy.',
    ...problems,
  ].join('\n')
