import type { AddressGuard } from '../../access/address-guard.ts'
import type { Admission } from '../../access/admission.ts'
import type { DownloadSlot, FeedLimits } from '../../access/feed-limits.ts'
import type { Grant } from '../../access/grant.ts'
import { subjectOf } from '../../access/limit-state.ts'
import type { Limits } from '../../access/limits.ts'
import type { Refusal } from '../../access/refusal.ts'
import type { Timeline } from '../../access/timeline.ts'
import { type Fault, fault } from '../../domain/fault.ts'
import type { Key } from '../../domain/key.ts'
import type { Operation, OperationMeter } from '../../domain/operation.ts'
import type { JournalFailure, UsageJournal, UsageRecord } from '../../domain/usage.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Traffic } from '../wire/traffic.ts'
import type { Route } from './routes.ts'

export interface MeteringParts {
  readonly limits: Limits
  readonly downloads: FeedLimits
  readonly timeline: Timeline
  readonly journal: UsageJournal
  readonly guard: AddressGuard
  readonly clock: Clock
  readonly meters: Readonly<Record<Operation, OperationMeter>>
  readonly traffic: Traffic
}

/** What of a call goes into its record beside what is counted. */
export interface CallFacts {
  readonly requestId: string
  readonly route: Route
  readonly key: Key
  readonly grant: Grant
  readonly version: string
  readonly versionExplicit: boolean
}

/** One call on its way through the limits. Every step but `record` is synchronous. */
export interface CallMeter {
  /** Lets the call in, or says why not: 503 while nothing can be counted, 429 from the limits. */
  admit(): Fault | undefined
  /** Takes the units of a served answer from the quotas, all or nothing; begins a download of that snapshot. */
  charge(entities: number, download?: string): Fault | undefined
  /** Hands the record to the operating system; 503, and nothing charged, when that fails. */
  record(status: number): Promise<Fault | undefined>
  /** the state after this call. */
  headers(): Readonly<Record<string, string>>
  /** Of a download: to be called when the answer has left, or its client, so that it no longer counts as open. */
  readonly ended?: (() => void) | undefined
}

/** What requests see of limits and metering. */
export interface RequestMeter {
  /** A request without a valid key: 429 when its address has sent too many of them. */
  withoutKey(address: string): Fault | undefined
  /** A call of a known key. */
  begin(facts: CallFacts): CallMeter
}

/** Limits, journal and address guard, as requests see them. */
export class Metering implements RequestMeter {
  readonly #parts: MeteringParts

  constructor(parts: MeteringParts) {
    this.#parts = parts
  }

  withoutKey(address: string): Fault | undefined {
    const { guard, timeline, clock, traffic } = this.#parts
    const retryAfterS = guard.spend(address, timeline.at(clock.monotonicUs()))
    if (retryAfterS === undefined) return undefined
    traffic.refused(['address'])
    return fault('address_limited', {
      detail: `Wait ${retryAfterS} s, and send a valid key.`,
      headers: { 'Retry-After': String(retryAfterS) },
    })
  }

  begin(facts: CallFacts): CallMeter {
    return new MeteredCall(this.#parts, facts)
  }
}

/** One call from its admission to its record. */
class MeteredCall implements CallMeter {
  readonly #parts: MeteringParts
  readonly #facts: CallFacts
  readonly #startUs: number
  #admission: Admission | undefined
  #billed = 0
  #refusedBy: readonly string[] = []
  #slot: DownloadSlot | undefined

  constructor(parts: MeteringParts, facts: CallFacts) {
    this.#parts = parts
    this.#facts = facts
    this.#startUs = this.#nowUs()
  }

  admit(): Fault | undefined {
    const failure = this.#parts.journal.failure()
    if (failure) return uncounted(failure)
    // Downloads are bounded by what they take, once it is known what that is.
    if (this.#isDownload) return undefined
    const { key, grant } = this.#facts
    const least = this.#meter.meter === 'none' ? 0 : this.#meter.weight
    const outcome = this.#parts.limits.admit(key, grant.limits, this.#bucket, this.#startUs, least)
    if (outcome.refused) return this.#refuse(outcome)
    this.#admission = outcome
    return undefined
  }

  charge(entities: number, download?: string): Fault | undefined {
    if (download !== undefined) return this.#download(download)
    const { meter, weight } = this.#meter
    const units = meter === 'none' ? 0 : meter === 'entity' ? entities * weight : weight
    const refusal = this.#admission?.charge(units, this.#nowUs())
    if (refusal) return this.#refuse(refusal)
    this.#billed = units
    return undefined
  }

  headers(): Record<string, string> {
    const { key, grant } = this.#facts
    if (this.#isDownload) return this.#parts.downloads.headers(key.id, this.#parts.clock.nowMs())
    return this.#parts.limits.headers(key, grant.limits, this.#bucket, this.#nowUs(), this.#billed)
  }

  async record(status: number): Promise<Fault | undefined> {
    const outcome = await this.#parts.journal.append(this.#recordOf(status))
    if (outcome === 'written') {
      this.#parts.traffic.charged(this.#facts.route.operation, this.#billed)
      return undefined
    }
    this.#admission?.release()
    this.#billed = 0
    return uncounted(outcome)
  }

  get ended(): (() => void) | undefined {
    return this.#slot?.release
  }

  #download(snapshot: string): Fault | undefined {
    const outcome = this.#parts.downloads.begin(this.#facts.key.id, snapshot, this.#parts.clock.nowMs())
    if ('refused' in outcome) return this.#refuse({ ...outcome, refused: [outcome.refused] })
    this.#slot = outcome
    return undefined
  }

  get #isDownload(): boolean {
    return this.#facts.route.bucket === 'feeds'
  }

  get #meter(): OperationMeter {
    return this.#parts.meters[this.#facts.route.operation]
  }

  get #bucket(): 'package' | 'search' {
    return this.#facts.route.bucket === 'search' ? 'search' : 'package'
  }

  #nowUs(): number {
    return this.#parts.timeline.at(this.#parts.clock.monotonicUs())
  }

  #refuse({
    refused,
    retryAfterS,
    detail,
  }: Pick<Refusal, 'retryAfterS' | 'detail'> & { refused: readonly string[] }): Fault {
    this.#refusedBy = refused
    this.#parts.traffic.refused(refused)
    return fault('rate_limited', {
      detail,
      violatedPolicies: refused,
      ...(retryAfterS !== undefined && { headers: { 'Retry-After': String(retryAfterS) } }),
    })
  }

  #recordOf(status: number): UsageRecord {
    const { requestId, route, key, grant, version, versionExplicit } = this.#facts
    const { limits, timeline, clock } = this.#parts
    const nowUs = this.#nowUs()
    const timeMs = clock.nowMs()
    const { meter, weight } = this.#meter
    return {
      requestId,
      timeMs,
      shiftMs: timeline.shiftMs(timeMs, nowUs),
      partnerId: key.partnerId,
      keyId: key.id,
      subject: subjectOf(key),
      operation: route.operation,
      version,
      versionExplicit,
      units: this.#billed,
      meter,
      weight,
      billable: !key.test,
      status,
      refusedBy: this.#refusedBy,
      durationUs: nowUs - this.#startUs,
      marks: this.#isDownload ? [] : limits.marks(key, grant.limits, this.#bucket, nowUs),
    }
  }
}

/** How long a client is asked to wait while nothing can be counted, seconds. */
const uncountedRetryS = 5

const uncounted = ({ code }: JournalFailure): Fault =>
  fault('metering_unavailable', {
    detail: `The usage journal cannot be written (${code}); nothing was charged.`,
    headers: { 'Retry-After': String(uncountedRetryS) },
  })
