import { StatesUnavailable } from '../../domain/limit-states.ts'
import type { ClusterNode, ClusterView, LimitEpoch } from '../../domain/membership.ts'
import type { MemberParts } from './member-parts.ts'
import { pause, type Scheduler } from './scheduler.ts'

/** Longest wait for other nodes to fold before an epoch opens, in microseconds. */
const maxWaitUs = { in: 10_000_000, out: 200_000, left: 0 }
const minPauseMs = 20
const maxPauseMs = 80

/** Waits a random time before the next attempt, so that nodes do not keep in step. */
export const pauseBriefly = (scheduler: Scheduler): Promise<void> =>
  pause(scheduler, minPauseMs + scheduler.random() * (maxPauseMs - minPauseMs))

/** Returns true if the current epoch cannot be entered, so that a next one must be opened. */
export const mustReplace = ({ epoch, me }: ClusterView, identity: string, there = 0): boolean =>
  epoch.identity !== identity ||
  epoch.late ||
  there > epoch.epoch ||
  (epoch.state === 'open' && (there !== epoch.epoch || me.blind))

/**
 * Opens the epoch after the one that was seen, for a cache whose epoch is `there`. Throws StatesUnavailable if another
 * cache has replaced this one.
 */
export async function openNext(
  { membership, line }: MemberParts,
  seen: LimitEpoch,
  identity: string,
  there = 0,
): Promise<void> {
  const lineMs = Math.floor(line.nowUs() / 1000)
  const next = { identity, atLeast: Math.max(there + 1, lineMs) }
  if ((await membership.openEpoch(seen, next)) === 'old identity')
    throw new StatesUnavailable('Another cache has replaced this one.')
}

/** The other nodes, as a node that waits for them sees them. */
interface Watch {
  /** Returns what is known now; undefined if the node is to give up. */
  readonly look: () => Promise<ClusterView | undefined>
  /** Returns true if the node must wait for another one. */
  readonly isLive: (node: ClusterNode, nowUs: number) => boolean
}

/** Waits until the other nodes have folded what they decided before. Returns false if the epoch has changed. */
export async function awaitOpening(
  { scheduler, membership, states }: MemberParts,
  epoch: number,
  { look, isLive }: Watch,
): Promise<boolean> {
  const startUs = scheduler.monotonicUs()
  const minUs = (await states.failOverMs()) * 1000
  for (;;) {
    const view = await look()
    if (!view || view.epoch.epoch !== epoch || view.epoch.late) return false
    if (view.epoch.state === 'open') return true
    const waitedUs = scheduler.monotonicUs() - startUs
    const isBehind = (node: ClusterNode) =>
      node.epoch < epoch && waitedUs < maxWaitUs[node.mode] && isLive(node, scheduler.monotonicUs())
    if (waitedUs >= minUs && !view.others.some(isBehind)) await membership.finishOpening(epoch)
    else await pauseBriefly(scheduler)
  }
}
