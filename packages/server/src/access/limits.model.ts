/** A policy of `ModelLimits`: rate in calls per second, burst in calls, quota in units per 24 hours. */
export interface ModelPolicy {
  readonly bucket: string
  readonly rate: number
  readonly burst: number
  readonly quota: number
  /** True if a call spends the quota alone. */
  readonly withoutRate?: boolean
}

interface SubjectState {
  level: number
  levelAt: number
  window: { startMs: number; charged: number[] } | undefined
  episode: { startedAt: number; until: number } | undefined
  strikes: number
  struckAt: number
}

export interface ModelOutcome {
  readonly refused: string[]
  readonly retryAfterS: number | undefined
}

/** The names of the rate and the quota of each bucket. */
const policyNames: Readonly<Record<string, readonly [string, string]>> = {
  package: ['rate', 'daily'],
  search: ['search', 'search-daily'],
  autocomplete: ['autocomplete', 'daily'],
}

const dayMs = 24 * 60 * 60 * 1000
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)

/**
 * Reference implementation of SPEC §8 and, written for simplicity: leaky buckets, lists of charges, one
 * object per subject. Tests and the benchmark compare the limiter with it.
 */
export class ModelLimits {
  readonly #states = new Map<string, SubjectState>()

  admit(subject: string, policies: readonly ModelPolicy[], now: number, minUnits: number): ModelOutcome {
    const nowMs = Math.floor(now / 1000)
    const cost = (p: ModelPolicy) => Math.ceil(1_000_000 / p.rate)
    const views = policies.map(policy => {
      const state = this.#state(subject, policy, now)
      if (state.window && nowMs >= state.window.startMs + dayMs) state.window = undefined
      if (policy.withoutRate !== true && state.episode && now >= state.episode.until) {
        state.episode = undefined
        state.strikes = Math.max(0, state.strikes - 1)
      }
      const isRated = policy.withoutRate !== true
      const inLoop = isRated && state.episode !== undefined && now > state.episode.startedAt + 500_000
      const waitUs = isRated ? Math.max(0, state.level + cost(policy) - policy.burst * cost(policy)) : 0
      const full = sum(state.window?.charged ?? []) + minUnits > policy.quota
      return { policy, state, inLoop, waitUs, full }
    })
    if (views.every(view => !view.inLoop && view.waitUs === 0 && !view.full)) {
      for (const { policy, state } of views) {
        if (policy.withoutRate !== true) state.level += cost(policy)
        state.window ??= { startMs: nowMs, charged: [] }
      }
      return { refused: [], retryAfterS: undefined }
    }
    const refused = new Set<string>()
    const waits = [1]
    for (const { policy, state, inLoop, waitUs, full } of views) {
      const names = policyNames[policy.bucket]!
      if (inLoop && state.episode) {
        refused.add('penalty')
        if (state.strikes === 0 || now >= state.struckAt + 1_000_000) {
          state.strikes = Math.min(7, state.strikes + 1)
          state.struckAt = now
        }
        const wait = Math.min(60, [0.5, 1, 2, 4, 8, 16, 32, 64][state.strikes]!) * 1_000_000
        state.episode.until = Math.max(state.episode.until, now + wait)
      } else if (waitUs > 0) refused.add(names[0]!)
      if (full) {
        refused.add(names[1]!)
        waits.push(state.window ? (state.window.startMs + dayMs) * 1000 - now : 0)
      }
      waits.push(waitUs, state.episode && policy.withoutRate !== true ? state.episode.until - now : 0)
    }
    const retryAfterS = Math.ceil(Math.max(...waits) / 1_000_000)
    if (!views.some(view => view.full)) {
      for (const { state, waitUs } of views) {
        if (waitUs === 0) continue
        if (!state.episode) state.episode = { startedAt: now, until: now + retryAfterS * 1_000_000 }
        else if (now + waitUs > state.episode.until) state.episode.until = now + retryAfterS * 1_000_000
      }
    }
    return {
      refused: [...refused],
      retryAfterS: views.some(view => minUnits > view.policy.quota) ? undefined : retryAfterS,
    }
  }

  /** Charges the units and returns no names, or returns the names of the quotas that they exceed. */
  charge(subject: string, policies: readonly ModelPolicy[], now: number, units: number): string[] {
    const full = policies.filter(policy => {
      const window = this.#state(subject, policy, now).window
      return units > 0 && sum(window?.charged ?? []) + units > policy.quota
    })
    if (full.length === 0) for (const policy of policies) this.#state(subject, policy, now).window?.charged.push(units)
    return full.map(policy => policyNames[policy.bucket]![1])
  }

  /** Returns the calls and units left, as headers report them. */
  left(subject: string, policy: ModelPolicy, now: number): { rate: number; quota: number } {
    const state = this.#state(subject, policy, now)
    const cost = Math.ceil(1_000_000 / policy.rate)
    const open = state.window && Math.floor(now / 1000) < state.window.startMs + dayMs ? state.window : undefined
    return {
      rate: state.episode && now < state.episode.until ? 0 : Math.floor(policy.burst - state.level / cost),
      quota: Math.max(0, policy.quota - sum(open?.charged ?? [])),
    }
  }

  #state(subject: string, policy: ModelPolicy, now: number): SubjectState {
    const id = `${policy.bucket} ${subject}`
    let state = this.#states.get(id)
    if (!state) {
      state = { level: 0, levelAt: now, window: undefined, episode: undefined, strikes: 0, struckAt: 0 }
      this.#states.set(id, state)
    }
    state.level = Math.max(0, state.level - (now - state.levelAt))
    state.levelAt = now
    if (policy.withoutRate !== true)
      state.level = Math.min(state.level, policy.burst * Math.ceil(1_000_000 / policy.rate))
    return state
  }
}

/** Returns the numbers that headers report of policies, in their order. */
export const listLefts = (
  model: ModelLimits,
  subject: string,
  policies: readonly ModelPolicy[],
  now: number,
): readonly number[] =>
  policies.flatMap(policy => {
    const { rate, quota } = model.left(subject, policy, now)
    return [...(policy.withoutRate ? [] : [rate]), ...(policy.quota === Number.POSITIVE_INFINITY ? [] : [quota])]
  })
