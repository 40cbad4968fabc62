import type { Command } from 'commander'
import { findBlobs } from '../compose/blobs.ts'
import { findLost, foldReachable, type LostJournal } from '../compose/forget-node.ts'
import { systemClock } from '../kit/clock.ts'
import { formatDateTime } from '../resources/schema.ts'
import { recordOf } from '../usecases/admin/record.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { requireDead, withNodes } from './cluster-nodes.ts'
import { CommandError, UsageError } from './errors.ts'
import { type CommonFlags, withCommonFlags } from './options.ts'
import { print } from './print.ts'

interface ForgetFlags extends CommonFlags, ActorFlag {
  readonly lost?: boolean
}

/** `periplus cluster forget NODE` */
export function addForgetCommand(cluster: Command): void {
  withActorFlag(withCommonFlags(cluster.command('forget')))
    .description(
      'Counts what can be reached of the journal of a node without its folder, and removes the node for ever.',
    )
    .argument('<node>', 'id of a node that does not live')
    .option('--lost', 'accept the loss of what cannot be reached without the folder')
    .action((node: string, flags: ForgetFlags) =>
      withNodes(flags, async ({ config, nodes, journals }) => {
        await requireDead(nodes, node)
        if (node === journals.node)
          throw new UsageError(`${config.data} is the folder of node ${node}. Run the command with another folder.`)
        const parts = { nodes, journals, blobs: await findBlobs(config) }
        const lost = await findLost(parts, node)
        const { mayHaveMore, unproved } = lost
        const sentences = describeLost(lost)
        if (sentences.length > 0 && !flags.lost) throw new CommandError(refusalText(node, sentences))
        const calls = await foldReachable(parts, node)
        const from = unproved.fromMs === undefined ? undefined : formatDateTime(unproved.fromMs)
        const loss = { lost: mayHaveMore, unprovedCalls: unproved.calls, unprovedFrom: from }
        const after = { calls, ...loss }
        await nodes.forget(
          node,
          recordOf(systemClock, cliActor(flags.actor), { action: 'node.forget', target: node, after }),
        )
        const result = {
          node,
          calls,
          lost: mayHaveMore,
          proved: unproved.calls === 0,
          unproved_calls: unproved.calls,
          ...(from !== undefined && { unproved_from: from }),
        }
        print(flags.json, result, () =>
          [`Node ${node} is forgotten. Calls counted now: ${calls}.`, ...sentences].join('\n'),
        )
      }),
    )
}

/** Returns a sentence for each kind of loss. */
function describeLost({ mayHaveMore, unproved: { calls, fromMs } }: LostJournal): string[] {
  const from = fromMs === undefined ? '' : ` from ${formatDateTime(fromMs)} on`
  return [
    ...(mayHaveMore
      ? ['It has not left the other nodes: calls that it answered last may be lost, and not billed.']
      : []),
    ...(calls > 0 ? [`Of its calls${from}, ${calls} stay billed, and are not proved: only its folder has them.`] : []),
  ]
}

const refusalText = (node: string, sentences: readonly string[]): string =>
  [
    `Node ${node} is not forgotten, because this would lose a part of its journal.`,
    ...sentences,
    `If there is a folder of it, run 'periplus cluster fold DIR' first. Otherwise accept the loss with --lost.`,
  ].join('\n')
