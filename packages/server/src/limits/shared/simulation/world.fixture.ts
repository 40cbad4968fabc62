import type { PenaltySettings } from '../../../access/penalty.ts'
import type { LimitedBucket } from '../../../domain/limit-bucket.ts'
import type { DecisionRequest } from '../decision.ts'
import type { MemoryStates } from '../memory-states.fixture.ts'
import type { RoundParts } from '../round-parts.ts'
import { Rounds } from '../rounds.ts'
import type { MemoryCluster } from './memory-cluster.fixture.ts'
import type { VirtualTime } from './virtual-time.fixture.ts'

/** A server of the simulation: the cache, or the store. */
export interface SimulatedServer {
  downUntilUs: number
  /** Number of its lives; requests of an earlier life get no reply. */
  life: number
}

/** The world of all nodes. */
export interface SimulatedWorld {
  readonly time: VirtualTime
  readonly cache: SimulatedServer & { readonly states: MemoryStates }
  /** Folds fail until `foldsFailUntilUs`, while all else works. */
  readonly store: SimulatedServer & { readonly cluster: MemoryCluster; foldsFailUntilUs: number }
  /** The time until which messages are slow. */
  slowUntilUs: number
  readonly whenDown: 'share' | 'refuse'
  /** The bucket of all calls. */
  readonly bucket: LimitedBucket
  /** Limits of all keys in that bucket. */
  readonly numbers: { readonly rate: number; readonly burst: number; readonly quota: number }
  readonly penalty: PenaltySettings
  /** Called with each rate token that is spent in an epoch, and its time on the line. */
  readonly onToken: (subject: string, epoch: number, nowUs: number) => void
}

/** Rounds that report each rate token. */
export class SpyingRounds extends Rounds {
  readonly #onToken: SimulatedWorld['onToken']

  constructor(parts: RoundParts, onToken: SimulatedWorld['onToken']) {
    super(parts)
    this.#onToken = onToken
  }

  override async decide(request: DecisionRequest): ReturnType<Rounds['decide']> {
    const decision = await super.decide(request)
    const spends = request.kind === 'enter' || request.kind === 'whole'
    if (decision.kind === 'decided' && spends && !decision.refusal)
      this.#onToken(request.caller.id, decision.epoch, decision.nowUs)
    return decision
  }
}
