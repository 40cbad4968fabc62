import { refuseSession } from '../../access/refusal.ts'
import { type AutocompleteSessions, type SessionPrice, toSessionMark } from '../../domain/autocomplete-session.ts'
import { type Fault, faults } from '../../domain/fault.ts'
import type { LimitedBucket } from '../../domain/limit-bucket.ts'
import { StoreFailure } from '../../domain/store-errors.ts'
import type { AppendResult } from '../../domain/usage.ts'
import { chain, type Eventual } from '../../kit/chain.ts'
import {
  type CallFacts,
  type CallLimits,
  type CallOutcome,
  isCharged,
  type Settlement,
  type Ticket,
} from '../call-limits.ts'
import type { CallRecorder } from '../call-recorder.ts'
import type { AloneLimits } from './alone.ts'
import type { Decision, DecisionRequest } from './decision.ts'
import type { VoidDecision } from './entries.ts'
import type { Rounds } from './rounds.ts'

export interface SharedCallParts {
  readonly rounds: Rounds
  readonly recorder: CallRecorder
  /** Returns the limits of a node that answers alone; undefined while it does not. */
  readonly alone: () => AloneLimits | undefined
  /** The sessions of search-as-you-type; undefined: each call pays for itself. */
  readonly sessions?: AutocompleteSessions | undefined
  /** Returns the 503 of a call that nothing decided. */
  readonly refuseVoid: (reason: VoidDecision['reason']) => Fault
}

/**
 * Limits of the calls of one bucket, decided in states that all nodes share. Usually one decision after the work spends
 * the token and charges the units; when more calls of a subject are at work than may pass, the token is spent first.
 */
export class SharedCallLimits implements CallLimits {
  readonly #bucket: LimitedBucket
  readonly #parts: SharedCallParts

  constructor(bucket: LimitedBucket, parts: SharedCallParts) {
    this.#bucket = bucket
    this.#parts = parts
  }

  open(call: CallFacts, denied?: Fault): Ticket | Promise<Ticket> {
    const { recorder, rounds } = this.#parts
    const unrecorded = recorder.refuseUnrecorded()
    if (unrecorded) return refuseUncounted(unrecorded)
    // Until the last older node has left, no state of the bucket could be shared.
    if (!rounds.keeps(this.#bucket)) return refuseUncounted(this.#parts.refuseVoid('unavailable'))
    if (rounds.epoch === undefined) return this.#openAlone(call, denied)
    const { key: caller, limits } = call
    const facts = { caller, limits, bucket: this.#bucket, minUnits: recorder.minUnitsOf(call) }
    const start = { parts: this.#parts, call, facts, startUs: recorder.nowUs() }
    if (denied) return new SharedTicket(start, denied, { step: 'read' })
    if (rounds.startUnpaid(facts)) return new SharedTicket(start, undefined, { step: 'unpaid' })
    return this.#enter(start)
  }

  #openAlone(call: CallFacts, denied: Fault | undefined): Ticket | Promise<Ticket> {
    const { alone, refuseVoid } = this.#parts
    const opened = alone()?.open(this.#bucket, call, denied)
    if (!opened) return refuseUncounted(refuseVoid('unavailable'))
    return chain(opened, ticket => ticket ?? refuseUncounted(refuseVoid('store')))
  }

  /** Spends the token of a call before its work. */
  async #enter(start: CallStart): Promise<Ticket> {
    const { rounds, recorder, refuseVoid } = this.#parts
    const decision = await rounds.decide({ ...start.facts, kind: 'enter', units: 0 })
    if (decision.kind === 'void') return refuseUncounted(refuseVoid(decision.reason))
    if (!decision.refusal) return new SharedTicket(start, undefined, { step: 'paid', decision })
    return new SharedTicket(start, recorder.refuse(decision.refusal), { step: 'refused', decision })
  }
}

/** A call when it opens. */
interface CallStart {
  readonly parts: SharedCallParts
  readonly call: CallFacts
  readonly facts: Omit<DecisionRequest, 'kind' | 'units'>
  readonly startUs: number
}

/**
 * Decisions about a call before its work. `read`: it was denied, and its limits are only reported. `paid`: its
 * token was spent by a decision.
 */
type Progress =
  | { readonly step: 'read' | 'unpaid' }
  | { readonly step: 'paid' | 'refused'; readonly decision: Decision }

/** The cost of a call in units, and the part that its session has in it. */
interface Priced {
  readonly cost: number
  readonly price: SessionPrice | undefined
}

const unpriced: SessionPrice = { units: 0, undo: () => {} }

class SharedTicket implements Ticket {
  readonly refusal: Fault | undefined
  readonly #start: CallStart
  readonly #progress: Progress

  constructor(start: CallStart, refusal: Fault | undefined, progress: Progress) {
    this.#start = start
    this.refusal = refusal
    this.#progress = progress
  }

  settle(outcome: CallOutcome): Settlement | Promise<Settlement> {
    return chain(this.#price(outcome), price => {
      if (price === 'none left') return this.#settleWithoutSession(outcome)
      const cost = this.#start.parts.recorder.costOf(this.#start.call.operation, outcome, price)
      return chain(this.#decide(cost), decision => this.#conclude(decision, outcome, { cost, price }))
    })
  }

  /** Returns the price of the session that a served call has used. */
  #price({ status, session }: CallOutcome): Eventual<SessionPrice | 'none left' | undefined> {
    const { recorder, sessions } = this.#start.parts
    if (!session || !sessions || this.refusal || !isCharged(status) || !recorder.hasSessions) return undefined
    const priced = sessions.use(session, recorder.nowMs())
    if (!(priced instanceof Promise)) return priced ?? 'none left'
    return priced.then(
      price => price ?? 'none left',
      error => {
        // Without the database nobody knows what the session has paid for: the call is free.
        if (error instanceof StoreFailure) return unpriced
        throw error
      },
    )
  }

  /** Refuses a call that would open one session too many. */
  #settleWithoutSession(outcome: CallOutcome): Settlement | Promise<Settlement> {
    const { parts, facts } = this.#start
    const decided = chain(parts.rounds.decide({ ...facts, kind: 'read', units: 0 }), decision =>
      decision.kind === 'void' ? decision : { ...decision, refusal: { ...refuseSession(), cost: 1 } },
    )
    return chain(decided, decision => this.#conclude(decision, outcome, { cost: 0, price: undefined }))
  }

  #conclude(decision: Decision | VoidDecision, outcome: CallOutcome, { cost, price }: Priced): Settlement {
    const { parts, facts } = this.#start
    // Until its decision, the call holds a place of those that may work unpaid.
    if (this.#progress.step === 'unpaid') parts.rounds.finishUnpaid(facts.caller)
    if (decision.kind === 'void') {
      price?.undo()
      return { refusal: parts.refuseVoid(decision.reason), headers: {} }
    }
    const refusal = decision.refusal && (this.refusal ?? parts.recorder.refuse(decision.refusal))
    if (refusal) price?.undo()
    return this.#record(decision, outcome, refusal, { cost: refusal ? 0 : cost, price: refusal ? undefined : price })
  }

  #decide(units: number): Promise<Decision | VoidDecision> | Decision {
    const { parts, facts } = this.#start
    const { rounds } = parts
    const progress = this.#progress
    if (progress.step === 'refused') return progress.decision
    if (progress.step === 'read') return rounds.decide({ ...facts, kind: 'read', units: 0 })
    if (progress.step === 'paid' && progress.decision.epoch === rounds.epoch)
      return rounds.decide({ ...facts, kind: 'charge', units, tatsUs: progress.decision.tatsUs! })
    return rounds.decide({ ...facts, kind: 'whole', units })
  }

  /** Appends the record of a decided call. */
  #record(decision: Decision, outcome: CallOutcome, refusal: Fault | undefined, priced: Priced): Settlement {
    const { cost: units, price } = priced
    const { parts, call, startUs } = this.#start
    const { headers, marks, nowUs, epoch } = decision
    const cause = refusal ?? outcome.fault
    const written = parts.recorder.record({
      call,
      startUs,
      // The duration includes the wait for the shared state, whose time may be later than the line of this node.
      nowUs: Math.max(parts.recorder.nowUs(), nowUs),
      status: refusal ? faults[refusal.fault].status : outcome.status,
      units,
      refusedBy: decision.refusal?.refused ?? [],
      marks,
      epoch,
      session: outcome.session && price ? toSessionMark(outcome.session, price) : undefined,
      cause: cause && {
        fault: cause,
        fields: outcome.fields,
        cost: decision.refusal?.cost,
        policies: headers['RateLimit-Policy'],
      },
    })
    const conclude = (result: AppendResult): Settlement => {
      const unrecorded = parts.recorder.confirm(call.operation, units, result)
      if (unrecorded) price?.undo()
      // The shared state keeps the token and the units.
      return unrecorded ? { refusal: unrecorded, headers: { ...headers, 'X-Billed-Units': '0' } } : { refusal, headers }
    }
    return { refusal, headers, record: { written, conclude } }
  }
}

/** Returns the ticket of a call that is neither decided nor recorded. */
const refuseUncounted = (refusal: Fault): Ticket => ({ refusal, settle: () => ({ refusal: undefined, headers: {} }) })
