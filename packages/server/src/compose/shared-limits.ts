import { createTimeline } from '../access/timeline.ts'
import type { Config } from '../config/load.ts'
import type { Cluster } from '../domain/cluster.ts'
import { type Fault, fault } from '../domain/fault.ts'
import type { UsageCursor } from '../domain/ledger.ts'
import type { LimitStates } from '../domain/limit-states.ts'
import type { Membership } from '../domain/membership.ts'
import type { Logger } from '../kit/log.ts'
import { FeedDownloadLimits } from '../limits/feed-downloads.ts'
import { createStartedSnapshots } from '../limits/local/local-downloads.ts'
import { LeasedDownloads } from '../limits/shared/leased-downloads.ts'
import { Line } from '../limits/shared/line.ts'
import { createSharedLiveLimits } from '../limits/shared/live.ts'
import { createNodeLimits, type NodeLimitParts } from '../limits/shared/node-limits.ts'
import { systemScheduler } from '../limits/shared/scheduler.ts'
import { ValkeyLimitStates } from '../store/valkey/limit-states.ts'
import { foldJournal } from '../usage/fold.ts'
import { journalIn } from '../usage/journal-reader.ts'
import { ForgivenSeeds } from './forgiven-seeds.ts'
import { metersOf } from './meters.ts'
import { composeKeylessLimits, type LimitParts, type RecoveredLimits } from './serving-limits.ts'
import { findSharedLimits } from './shared-limit-settings.ts'
import { SharedNode } from './shared-node.ts'
import { getLimitSettings } from './stored-limits.ts'

export interface SharedLimitParts extends LimitParts {
  readonly cluster: Cluster
  readonly log: Logger
  /** Writes the records of this turn and folds the journal to its end; returns the position there. */
  readonly foldAll: () => Promise<UsageCursor>
  /** Returns the time since the start of the last fold, in milliseconds; undefined before the first. */
  readonly foldedAgeMs: () => number | undefined
}

/** A difference of clocks from which on a cold cluster reports it, in microseconds. */
const reportedUs = 1_000_000

/** Composes the limits that nodes share, after folding what the previous process has left. */
export async function composeSharedLimits(config: Config, parts: SharedLimitParts): Promise<RecoveredLimits> {
  const { clock, cluster, downloads, journal, keys, layout, ledger, log, traffic, foldAll } = parts
  const { losses, damages, late } = await foldJournal(journalIn(layout.journal), ledger)
  const forgiven = new ForgivenSeeds(keys)
  const lastForgiven = await forgiven.load()
  const states = openStates(config, cluster)
  const membership: Membership = {
    ...cluster.membership,
    beat: report => cluster.membership.beat({ ...report, foldedAgeMs: parts.foldedAgeMs() }),
    seeds: forgiven.removeFrom(cluster.membership.seeds),
  }
  const line = createLine({ states, cluster, log, nowMs: clock.nowMs })
  const open = new LeasedDownloads(config.feeds, cluster.openDownloadLeases(), systemScheduler)
  const sessions = cluster.openSessions()
  const close = async () => {
    await Promise.all([states.close(), open.close(), sessions.close()])
  }
  const node = new SharedNode({ log, line, downloads: open, place: findSharedLimits(config)!.name, close })
  node.addLateRecords(late)
  const limits = createNodeLimits({
    states,
    membership,
    journal,
    settings: getLimitSettings(config),
    scheduler: systemScheduler,
    line,
    meters: metersOf(config),
    counters: traffic,
    foldAll,
    whenDown: config.limits.whenDown,
    refuseVoid,
    sessions,
    ...node.listener,
  })
  node.follow(limits)
  const origin = { wallMs: clock.nowMs(), monotonicUs: clock.monotonicUs() }
  return {
    ...composeKeylessLimits(config, { clock, traffic, timeline: createTimeline(origin), shared: undefined }),
    limits: { ...limits.limits, feeds: new FeedDownloadLimits(open, limits.recorder) },
    live: createSharedLiveLimits(limits, config),
    node,
    forgiven,
    origin,
    snapshots: createStartedSnapshots(config.feeds, downloads),
    losses,
    damages,
    clockBehindMs: 0,
    lastForgiven,
  }
}

/** Opens the place of the shared states. */
function openStates(config: Config, cluster: Cluster): LimitStates {
  const { cache } = findSharedLimits(config)!
  return cache ? new ValkeyLimitStates({ address: cache, clusterId: cluster.id }) : cluster.openStates()
}

/** Creates the line of the nodes; a cold cluster logs the clocks that are off. */
const createLine = ({
  states,
  cluster,
  log,
  nowMs,
}: {
  readonly states: LimitStates
  readonly cluster: Cluster
  readonly log: Logger
  readonly nowMs: () => number
}): Line =>
  new Line({
    states,
    scheduler: systemScheduler,
    nowMs,
    storeClockUs: cluster.membership.clockUs,
    onStart: off => {
      for (const [clock, us] of Object.entries(off)) {
        if (Math.abs(us) >= reportedUs)
          log.warn({ clock, seconds: us / 1_000_000 }, `The clock of the ${clock} differs from the others. Set it.`)
      }
    },
  })

/** Wait before a call that nothing decided is repeated, in seconds. */
const voidRetry = { headers: { 'Retry-After': '1' } }

const voidFaults = {
  unavailable: fault('limits_unavailable', voidRetry),
  busy: fault('limits_busy', voidRetry),
  store: fault('store_unavailable', voidRetry),
} as const

const refuseVoid: NodeLimitParts['refuseVoid'] = (reason): Fault => voidFaults[reason]
