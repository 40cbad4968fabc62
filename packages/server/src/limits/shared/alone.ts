import type { EffectiveLimits } from '../../access/grant.ts'
import { type LimitState, restoreState } from '../../access/limit-state.ts'
import { type LimitSettings, Limits } from '../../access/limits.ts'
import type { MemorySessions } from '../../domain/autocomplete-session.ts'
import type { Fault } from '../../domain/fault.ts'
import type { Key } from '../../domain/key.ts'
import type { FoldedState } from '../../domain/ledger.ts'
import { forEachBucket, type LimitedBucket, limitBuckets } from '../../domain/limit-bucket.ts'
import { mergePenalties } from '../../domain/limit-merge.ts'
import { getSubject } from '../../domain/limit-subject.ts'
import { windowMs } from '../../domain/quota-window.ts'
import type { CallFacts, Ticket } from '../call-limits.ts'
import type { CallRecorder } from '../call-recorder.ts'
import { LocalCallLimits } from '../local/local-calls.ts'
import { parseText } from './state-text.ts'

export interface AloneParts {
  readonly settings: LimitSettings
  /** Records calls with the epoch 0. */
  readonly recorder: CallRecorder
  /** Returns the last text of a subject that this node has seen. */
  readonly textOf: (subject: string) => string | undefined
  readonly readSeeds: (subjects: readonly string[]) => Promise<ReadonlyMap<string, readonly FoldedState[]>>
}

/**
 * Limits of a node that has lost the shared states: the embedded limits, with an equal part of each limit. The state of
 * a subject is loaded with its first call, and then only here until the node is in an epoch: the ledger may lack units.
 */
export class AloneLimits {
  readonly #parts: AloneParts
  readonly #limits: Limits
  readonly #buckets: Readonly<Record<LimitedBucket, LocalCallLimits>>
  readonly #loads = new Map<string, Promise<boolean>>()
  readonly #loaded = new Set<string>()
  #divided = new WeakMap<EffectiveLimits, EffectiveLimits>()
  #nodes = 1

  constructor(parts: AloneParts) {
    this.#parts = parts
    this.#limits = new Limits(parts.settings)
    this.#buckets = forEachBucket(bucket => new LocalCallLimits(bucket, this.#limits, parts.recorder, unknownSessions))
  }

  /** Divides the limits by a number of nodes; the used units of states that are loaded later, too. */
  divideBy(nodes: number): void {
    if (nodes === this.#nodes) return
    this.#nodes = nodes
    this.#divided = new WeakMap()
  }

  /** Opens a call; undefined if neither the node nor the ledger knows the state of its subject. */
  open(bucket: LimitedBucket, call: CallFacts, denied?: Fault): Ticket | Promise<Ticket | undefined> {
    const subject = getSubject(call.key)
    const open = () => this.#buckets[bucket].open({ ...call, limits: this.#divide(call.limits) }, denied)
    if (this.#loaded.has(subject)) return open()
    return this.#load(subject).then(isLoaded => (isLoaded ? open() : undefined))
  }

  /** Ends the penalty of a key's subject. */
  forgive(key: Key): void {
    this.#limits.forgive(key)
  }

  #load(subject: string): Promise<boolean> {
    const known = this.#loads.get(subject)
    if (known) return known
    const load = this.#readStates(subject).then(states => {
      this.#loads.delete(subject)
      if (!states) return false
      this.#limits.restore(states, this.#parts.recorder.nowUs(), { timeMs: 0, shiftMs: 0 })
      this.#loaded.add(subject)
      return true
    })
    this.#loads.set(subject, load)
    return load
  }

  /** Returns this node's part of the state of a subject, from its own copy and the ledger. */
  async #readStates(subject: string): Promise<LimitState[] | undefined> {
    const { textOf, readSeeds, recorder } = this.#parts
    const text = textOf(subject)
    const copy = text === undefined ? undefined : readText(subject, text)
    const stored = await readSeeds([subject]).catch(() => undefined)
    if (!copy && !stored) return undefined
    const all = [...(copy ?? []), ...(stored?.get(subject) ?? [])]
    const lastUs = Math.max(0, ...all.map(state => state.lastUs ?? 0))
    const clock = { timeMs: lastUs / 1000, shiftMs: 0 }
    return limitBuckets.flatMap(bucket => {
      const states = all.filter(state => state.bucket === bucket)
      if (states.length === 0) return []
      const { used, ...state } = restoreState(states.reduce(takeLarger), recorder.nowUs(), clock)
      return [{ ...state, used: Math.ceil(used / this.#nodes) }]
    })
  }

  #divide(limits: EffectiveLimits): EffectiveLimits {
    const known = this.#divided.get(limits)
    if (known) return known
    const divided = divideLimits(limits, this.#nodes)
    this.#divided.set(limits, divided)
    return divided
  }
}

/** Another node may have charged the session of a call; so no call in a session is charged alone. */
const unknownSessions: MemorySessions = { use: () => ({ units: 0, undo: () => {} }) }

/** Returns the states of a text; undefined if it is of another form. */
function readText(subject: string, text: string): FoldedState[] | undefined {
  const state = parseText(text)
  if (!state) return undefined
  const { lastUs } = state
  return limitBuckets.map(bucket => ({ subject, bucket, ...state[bucket], lastUs }))
}

/** Returns the later window of a subject with the larger count, the later token time and the later penalty. */
function takeLarger(a: FoldedState, b: FoldedState): FoldedState {
  const [earlier, later] = a.windowStartMs <= b.windowStartMs ? [a, b] : [b, a]
  const isOver = earlier.windowStartMs <= later.windowStartMs - windowMs
  return {
    ...later,
    used: isOver ? later.used : Math.max(a.used, b.used),
    tatUs: Math.max(a.tatUs, b.tatUs),
    penalty: mergePenalties(a.penalty, b.penalty),
  }
}

/** Returns the part of one of several nodes; at least one call is admitted at once. */
export function divideLimits(limits: EffectiveLimits, nodes: number): EffectiveLimits {
  const { rate, burst, quota, searchRate, searchBurst, searchQuota, autocompleteRate, autocompleteBurst } = limits
  const part = <T extends number | 'unlimited'>(value: T) =>
    value === 'unlimited' ? value : (Math.floor(Number(value) / nodes) as T)
  return {
    ...limits,
    rate: { ...rate, value: rate.value / nodes },
    burst: { ...burst, value: Math.max(1, part(burst.value)) },
    quota: { ...quota, value: part(quota.value) },
    searchRate: { ...searchRate, value: searchRate.value / nodes },
    searchBurst: { ...searchBurst, value: Math.max(1, part(searchBurst.value)) },
    searchQuota: { ...searchQuota, value: part(searchQuota.value) },
    autocompleteRate: { ...autocompleteRate, value: autocompleteRate.value / nodes },
    autocompleteBurst: { ...autocompleteBurst, value: Math.max(1, part(autocompleteBurst.value)) },
  }
}

/** Returns the parts of a recorder whose records have the epoch 0: the ledger learns that the cache missed them. */
export const recordAlone = <T extends ConstructorParameters<typeof CallRecorder>[0]>(parts: T): T => ({
  ...parts,
  journal: {
    append: record => parts.journal.append({ ...record, epoch: 0 }),
    failure: () => parts.journal.failure(),
  },
})
