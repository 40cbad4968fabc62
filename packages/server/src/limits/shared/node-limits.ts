import type { EffectiveLimits } from '../../access/grant.ts'
import type { LimitSettings } from '../../access/limits.ts'
import type { AutocompleteSessions } from '../../domain/autocomplete-session.ts'
import type { Fault } from '../../domain/fault.ts'
import type { Key } from '../../domain/key.ts'
import { forEachBucket, type LimitedBucket } from '../../domain/limit-bucket.ts'
import { type LimitStates, StatesUnavailable } from '../../domain/limit-states.ts'
import type { Membership } from '../../domain/membership.ts'
import type { CallLimits } from '../call-limits.ts'
import { CallRecorder, type CallRecorderParts } from '../call-recorder.ts'
import { AloneLimits, recordAlone } from './alone.ts'
import { createAloneAnswers } from './alone-answers.ts'
import type { VoidDecision } from './entries.ts'
import { Member } from './member.ts'
import type { MemberParts } from './member-parts.ts'
import type { RoundParts } from './round-parts.ts'
import { Rounds } from './rounds.ts'
import type { Scheduler } from './scheduler.ts'
import { SharedCallLimits } from './shared-calls.ts'

export interface NodeLimitParts extends Pick<CallRecorderParts, 'journal' | 'meters' | 'counters'> {
  readonly states: LimitStates
  readonly membership: Membership
  readonly settings: LimitSettings
  readonly scheduler: Scheduler
  readonly line: MemberParts['line']
  readonly foldAll: MemberParts['foldAll']
  /** `share`: a node without the cache answers alone. `refuse`: it refuses calls. */
  readonly whenDown: 'share' | 'refuse'
  /** Returns the 503 of a call that nothing decided. */
  readonly refuseVoid: (reason: VoidDecision['reason']) => Fault
  /** The sessions of search-as-you-type of all nodes. */
  readonly sessions?: AutocompleteSessions
  readonly onReplaced: MemberParts['onReplaced']
  readonly onMode?: MemberParts['onMode']
  readonly onError?: MemberParts['onError']
  readonly onUnreadable?: RoundParts['onUnreadable']
  /** Counts the units of calls that the node has answered alone. */
  readonly countAloneUnits?: (units: number) => void
  /** Creates the rounds; for tests. */
  readonly createRounds?: (parts: RoundParts) => Rounds
}

/** The limits of a node that shares them with others. */
export interface NodeLimits {
  readonly limits: Readonly<Record<LimitedBucket, CallLimits>>
  readonly member: Member
  readonly rounds: Rounds
  /** Records calls that no limits of this node decide. */
  readonly recorder: CallRecorder
  /** Ends the penalty of a key's subject. Throws StatesUnavailable if the node is in no epoch. */
  forgive(key: Key, limits: EffectiveLimits): Promise<void>
}

/** Creates the limits of a node. Calls are refused until `member.start` has joined an epoch. */
export function createNodeLimits(parts: NodeLimitParts): NodeLimits {
  const { states, membership, settings, scheduler, line, foldAll, whenDown, refuseVoid } = parts
  const { createRounds = (of: RoundParts) => new Rounds(of) } = parts
  const lineUs = () => line.nowUs()
  const readSeeds = membership.seeds
  const rounds: Rounds = createRounds({
    states,
    settings,
    scheduler,
    lineUs,
    readSeeds,
    onLost: (cause, epoch) => member.leave(cause, epoch),
    onUnreadable: parts.onUnreadable ?? (() => {}),
  })
  const recorderParts: CallRecorderParts = {
    journal: parts.journal,
    meters: parts.meters,
    counters: parts.counters,
    // The line is the time of records, too, and no step of a clock moves it.
    timeline: { at: lineUs, shiftMs: () => 0 },
    clock: { nowMs: () => Math.floor(lineUs() / 1000), monotonicUs: scheduler.monotonicUs },
  }
  const aloneRecorder = new CallRecorder(recordAlone(countUnits(recorderParts, parts.countAloneUnits)))
  const textOf = (subject: string) => rounds.textOf(subject)
  const alone = createAloneAnswers(() => new AloneLimits({ settings, recorder: aloneRecorder, readSeeds, textOf }))
  const member: Member = new Member({
    states,
    membership,
    rounds,
    scheduler,
    line,
    foldAll,
    alone: whenDown === 'share' ? alone : undefined,
    onReplaced: parts.onReplaced,
    onMode: parts.onMode,
    onError: parts.onError,
  })
  const recorder = new CallRecorder(recorderParts)
  const callParts = { rounds, recorder, alone: alone.answering, refuseVoid, sessions: parts.sessions }
  const limits = forEachBucket(bucket => new SharedCallLimits(bucket, callParts))
  const forgive: NodeLimits['forgive'] = async (key, of) => {
    alone.forgive(key)
    const request = { kind: 'forgive', caller: key, limits: of, bucket: 'package', minUnits: 0, units: 0 } as const
    const { kind } = await rounds.decide(request)
    if (kind === 'void') throw new StatesUnavailable('The node is in no epoch.')
  }
  return { limits, member, rounds, recorder, forgive }
}

/** Returns the parts of a recorder that also counts the units of its calls. */
const countUnits = (parts: CallRecorderParts, count: (units: number) => void = () => {}): CallRecorderParts => ({
  ...parts,
  counters: {
    countRefusal: policies => parts.counters.countRefusal(policies),
    countUnits: (operation, units) => {
      count(units)
      parts.counters.countUnits(operation, units)
    },
  },
})
