import { AddressGuard, addressGuardDefaults } from '../access/address-guard.ts'
import type { ClockNow } from '../access/clock-step.ts'
import { Limits } from '../access/limits.ts'
import { OpenSessions } from '../access/sessions.ts'
import { SharedLimits } from '../access/shared-limits.ts'
import { SharedTokenBuckets } from '../access/shared-token-buckets.ts'
import { createTimeline, type Timeline } from '../access/timeline.ts'
import type { Config } from '../config/load.ts'
import { sessionBounds } from '../domain/autocomplete-session.ts'
import type { FeedDownloads } from '../domain/feed-stores.ts'
import type { KeyAdmin } from '../domain/key-stores.ts'
import type { Ledger } from '../domain/ledger.ts'
import { forEachBucket } from '../domain/limit-bucket.ts'
import type { LiveLimits } from '../domain/limit-status.ts'
import type { UsageJournal } from '../domain/usage.ts'
import type { PartnerApi } from '../http/partner/partner-api.ts'
import type { Traffic } from '../http/wire/traffic.ts'
import type { Clock } from '../kit/clock.ts'
import { SharedCounts } from '../kit/held-counts.ts'
import { type AccountLimits, accountBounds, createAccountLimits } from '../limits/account-limits.ts'
import { createBadKeyLimits } from '../limits/bad-keys.ts'
import { CallRecorder } from '../limits/call-recorder.ts'
import { FeedDownloadLimits } from '../limits/feed-downloads.ts'
import { createLiveLimits } from '../limits/live-limits.ts'
import { LocalCallLimits } from '../limits/local/local-calls.ts'
import { createStartedSnapshots, LocalDownloads, type StartedSnapshots } from '../limits/local/local-downloads.ts'
import type { Layout } from '../store/folder/layout.ts'
import type { JournalDamage, JournalLoss } from '../usage/journal-losses.ts'
import { journalIn } from '../usage/journal-reader.ts'
import { readRecentSessions } from '../usage/recent-sessions.ts'
import { recoverStates } from '../usage/recover.ts'
import { applyForgivenPenalties } from './forgiven-penalties.ts'
import type { ForgivenSeeds } from './forgiven-seeds.ts'
import { metersOf } from './meters.ts'
import type { SharedServing } from './serving-memory.ts'
import type { SharedNode } from './shared-node.ts'
import { getLimitSettings, restoreLimits } from './stored-limits.ts'

/** The parts of the limits of one thread. */
export interface CallLimitParts {
  readonly journal: UsageJournal
  readonly clock: Clock
  /** The clocks at the start of the timeline. */
  readonly origin: TimelineOrigin
  readonly snapshots: StartedSnapshots
  readonly traffic: Traffic
  /** Shared memory; undefined if one thread serves. */
  readonly shared: SharedServing | undefined
}

/** Simultaneous readings of both clocks. */
export type TimelineOrigin = Parameters<typeof createTimeline>[0]

export interface LimitParts extends Omit<CallLimitParts, 'origin' | 'snapshots'> {
  readonly layout: Layout
  readonly ledger: Ledger
  readonly keys: KeyAdmin
  readonly downloads: FeedDownloads
}

/** The limits of one thread. */
export interface ThreadLimits extends Pick<PartnerApi, 'limits' | 'badKeys'> {
  readonly accountLimits: AccountLimits
  readonly live: LiveLimits
}

/** The limits of a process, and what their recovery has found. */
export interface RecoveredLimits extends ThreadLimits {
  /** The part of this node in limits that nodes share. */
  readonly node?: SharedNode
  /** Forgiven penalties that states of the ledger may still have; of shared limits only. */
  readonly forgiven?: ForgivenSeeds
  readonly origin: TimelineOrigin
  readonly snapshots: StartedSnapshots
  /** Files of the journal that are missing or shortened. */
  readonly losses: readonly JournalLoss[]
  readonly damages: readonly JournalDamage[]
  /** Time by which the wall clock was behind that of earlier processes at the start; 0 if it was not. */
  readonly clockBehindMs: number
  /** Number of the last forgiven penalty that is applied. */
  readonly lastForgiven: number
}

/** Composes the embedded limits; they continue from the states of the previous process. */
export async function composeLimits(config: Config, parts: LimitParts): Promise<RecoveredLimits> {
  const { clock, downloads } = parts
  const start = { wallMs: clock.nowMs(), boot: clock.boot?.() }
  const origin = { wallMs: start.wallMs, monotonicUs: clock.monotonicUs() }
  const snapshots = createStartedSnapshots(config.feeds, downloads)
  const { states, sessions, ...composed } = composeThreadLimits(config, { ...parts, origin, snapshots })
  const timeline = createTimeline(origin)
  const recovered = await recoverLimits(states, parts, start, () => timeline.at(clock.monotonicUs()))
  await recoverSessions(sessions, parts, start.wallMs)
  return {
    ...composed,
    origin,
    snapshots,
    losses: recovered.losses,
    damages: recovered.damages,
    clockBehindMs: recovered.behindMs,
    lastForgiven: recovered.forgiven,
  }
}

/** The limits of one thread, with what a restart fills. */
interface ComposedLimits extends ThreadLimits {
  readonly states: Limits
  readonly sessions: OpenSessions
}

/** Composes the limits of one thread; without shared memory their states are empty. */
export function composeThreadLimits(config: Config, parts: CallLimitParts): ComposedLimits {
  const { clock, origin, snapshots, traffic, shared } = parts
  const timeline = createTimeline(origin)
  const recorder = new CallRecorder({ ...parts, timeline, meters: metersOf(config), counters: traffic })
  const settings = getLimitSettings(config)
  const states = shared ? new SharedLimits(settings, shared.memory.limits, shared.thread) : new Limits(settings)
  const sessions = new OpenSessions(shared?.memory.sessions, shared?.thread)
  const open = shared && new SharedCounts(shared.memory.downloads, shared.thread)
  return {
    states,
    sessions,
    limits: {
      ...forEachBucket(bucket => new LocalCallLimits(bucket, states, recorder, sessions)),
      feeds: new FeedDownloadLimits(new LocalDownloads(config.feeds, snapshots, open), recorder),
    },
    ...composeKeylessLimits(config, { clock, traffic, shared, timeline }),
    live: createLiveLimits(states, { timeline, clock, packageTable: config }),
  }
}

interface KeylessLimitParts extends Pick<CallLimitParts, 'clock' | 'traffic' | 'shared'> {
  readonly timeline: Timeline
}

/** Composes the limits of requests that are not calls: without a valid key, and of keys about themselves. */
export function composeKeylessLimits(
  config: Config,
  { clock, traffic, shared, timeline }: KeylessLimitParts,
): Pick<ThreadLimits, 'accountLimits' | 'badKeys'> {
  const bucketsIn = (name: 'badKeys' | 'account', bounds: Parameters<typeof openBuckets>[0]) =>
    shared && openBuckets(bounds, { memory: shared.memory[name], thread: shared.thread })
  const bounds = { ...addressGuardDefaults, rate: config.limits.badKeyRate, burst: config.limits.badKeyBurst }
  const guard = new AddressGuard(bounds, bucketsIn('badKeys', bounds))
  return {
    accountLimits: createAccountLimits(timeline, clock, traffic, bucketsIn('account', accountBounds)),
    badKeys: createBadKeyLimits(guard, timeline, clock, traffic),
  }
}

const openBuckets = (...args: ConstructorParameters<typeof SharedTokenBuckets>) => new SharedTokenBuckets(...args)

/** Continues the sessions of the previous process. */
async function recoverSessions(
  sessions: OpenSessions,
  { layout, ledger }: Pick<LimitParts, 'layout' | 'ledger'>,
  nowMs: number,
): Promise<void> {
  const uses = readRecentSessions(journalIn(layout.journal), ledger, nowMs - sessionBounds.lengthMs)
  for await (const { mark, timeMs } of uses) sessions.replay(mark, timeMs)
}

async function recoverLimits(
  limits: Limits,
  { layout, ledger, keys }: Pick<LimitParts, 'layout' | 'ledger' | 'keys'>,
  start: ClockNow,
  nowUs: () => number,
) {
  const { losses, damages, ...stored } = await recoverStates(journalIn(layout.journal), ledger, start.wallMs)
  const { changed, behindMs } = restoreLimits(limits, stored, start, nowUs())
  await ledger.rebase(changed, Math.floor(nowUs() / 1000), { startMs: start.wallMs, boot: start.boot, behindMs })
  const forgiven = await applyForgivenPenalties(keys, limits)
  return { losses, damages, behindMs, forgiven }
}
