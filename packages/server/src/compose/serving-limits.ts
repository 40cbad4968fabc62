import { AddressGuard, addressGuardDefaults } from '../access/address-guard.ts'
import type { ClockNow } from '../access/clock-step.ts'
import { createTimeline } from '../access/timeline.ts'
import type { Config } from '../config/load.ts'
import type { FeedDownloads } from '../domain/feed-stores.ts'
import type { KeyAdmin } from '../domain/key-stores.ts'
import type { Ledger } from '../domain/ledger.ts'
import type { LiveLimits } from '../domain/limit-status.ts'
import type { PartnerApi } from '../http/partner/partner-api.ts'
import type { Traffic } from '../http/wire/traffic.ts'
import type { Clock } from '../kit/clock.ts'
import { type AccountLimits, createAccountLimits } from '../limits/account-limits.ts'
import { createBadKeyLimits } from '../limits/bad-keys.ts'
import { CallRecorder } from '../limits/call-recorder.ts'
import { createLiveLimits } from '../limits/live-limits.ts'
import { LocalCallLimits } from '../limits/local/local-calls.ts'
import { LocalDownloadLimits } from '../limits/local/local-downloads.ts'
import { OpenDownloads } from '../limits/local/open-downloads.ts'
import type { Layout } from '../store/folder/layout.ts'
import type { Journal } from '../usage/journal.ts'
import type { JournalDamage, JournalLoss } from '../usage/journal-losses.ts'
import { recoverStates } from '../usage/recover.ts'
import { applyForgivenPenalties } from './forgiven-penalties.ts'
import { metersOf } from './meters.ts'
import { createLimits, restoreLimits } from './stored-limits.ts'

interface LimitParts {
  readonly layout: Layout
  readonly ledger: Ledger
  readonly keys: KeyAdmin
  readonly journal: Journal
  readonly clock: Clock
  readonly downloads: FeedDownloads
  readonly traffic: Traffic
}

/** The embedded limits, and what their recovery has found. */
interface RecoveredLimits extends Pick<PartnerApi, 'limits' | 'badKeys'> {
  readonly accountLimits: AccountLimits
  readonly live: LiveLimits
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
  const { journal, clock, downloads, traffic } = parts
  const start = { wallMs: clock.nowMs(), boot: clock.boot?.() }
  const limitTimeline = createTimeline({ wallMs: start.wallMs, monotonicUs: clock.monotonicUs() })
  const recorder = new CallRecorder({
    journal,
    timeline: limitTimeline,
    clock,
    meters: metersOf(config),
    counters: traffic,
  })
  const { limits, losses, damages, behindMs, forgiven } = await recoverLimits(config, parts, start, () =>
    limitTimeline.at(clock.monotonicUs()),
  )
  const { badKeyRate, badKeyBurst } = config.limits
  const guard = new AddressGuard({ ...addressGuardDefaults, rate: badKeyRate, burst: badKeyBurst })
  return {
    limits: {
      package: new LocalCallLimits('package', limits, recorder),
      search: new LocalCallLimits('search', limits, recorder),
      feeds: new LocalDownloadLimits(new OpenDownloads(config.feeds, downloads), recorder),
    },
    accountLimits: createAccountLimits(limitTimeline, clock, traffic),
    live: createLiveLimits(limits, { timeline: limitTimeline, clock, packageTable: config }),
    badKeys: createBadKeyLimits(guard, limitTimeline, clock, traffic),
    losses,
    damages,
    clockBehindMs: behindMs,
    lastForgiven: forgiven,
  }
}

async function recoverLimits(
  config: Config,
  { layout, ledger, keys }: Pick<LimitParts, 'layout' | 'ledger' | 'keys'>,
  start: ClockNow,
  nowUs: () => number,
) {
  const limits = createLimits(config)
  const { losses, damages, ...stored } = await recoverStates(layout.journal, ledger, start.wallMs)
  const { changed, behindMs } = restoreLimits(limits, stored, start, nowUs())
  await ledger.rebase(changed, Math.floor(nowUs() / 1000), { startMs: start.wallMs, boot: start.boot, behindMs })
  const forgiven = await applyForgivenPenalties(keys, limits)
  return { limits, losses, damages, behindMs, forgiven }
}
