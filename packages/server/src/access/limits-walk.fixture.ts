import { type LimitedBucket, limitBuckets } from '../domain/limit-bucket.ts'
import { caller, createEffectiveLimits, dayUs, type Numbers, secondUs, someTimeUs } from './limits.fixture.ts'
import { listLefts, ModelLimits, type ModelPolicy } from './limits.model.ts'
import { type LimitSettings, Limits, limitDefaults } from './limits.ts'

/** Generator of integers in [0, below). */
export type Random = (below: number) => number

/** A small linear congruential generator (Numerical Recipes), so that a failure is reproducible. */
export function generator(seed: number): Random {
  let state = seed
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Result of a walk. */
export interface Walk {
  readonly steps: number
  readonly refusals: number
}

export interface WalkOptions {
  readonly progress?: (step: number) => void
  /** Creates the limiter. */
  readonly create?: (settings: LimitSettings) => Limits
}

/** Steps after which a walk begins again, with other agreements and an empty limiter. */
const stepsPerLife = 200
/** Every step with this period also compares the headers, which take longer than the decisions. */
const stepsPerHeader = 16

const callers = [caller('k1'), caller('k2', 'acme'), caller('k3', 'acme')]
const usualWaitsUs = [0, 1, 5_000, 100_000, 333_333, 333_334]
const longWaitsUs = [dayUs - 1000, dayUs, dayUs + 1000, 70 * secondUs, secondUs]

/**
 * Compares the limiter with the model in random calls of three keys (two share their limits): decisions, waits,
 * charges and headers. Throws at the first difference, with the seed of a short walk that has it.
 */
export function walk(
  steps: number,
  seed: number,
  { progress = () => {}, create = settings => new Limits(settings) }: WalkOptions = {},
): Walk {
  let refusals = 0
  for (let step = 0; step < steps; step += stepsPerLife) {
    const life = new Life(generator(seed + step), create)
    if (step % 100_000 === 0) progress(step)
    for (let i = 0; i < stepsPerLife; i++) {
      try {
        if (life.step(i % stepsPerHeader === 0)) refusals++
      } catch (error) {
        throw new Error(`walk(${stepsPerLife}, ${seed + step}) differs at step ${i}: ${String(error)}`, {
          cause: error,
        })
      }
    }
  }
  return { steps, refusals }
}

/** A limiter and a model, both empty at first, under three random agreements. */
class Life {
  readonly #random: Random
  readonly #numbers: readonly Required<Numbers>[]
  readonly #effective: readonly ReturnType<typeof createEffectiveLimits>[]
  readonly #both: boolean
  readonly #limits: Limits
  readonly #model = new ModelLimits()
  #nowUs = someTimeUs

  constructor(random: Random, create: Required<WalkOptions>['create']) {
    this.#random = random
    this.#numbers = [agreement(random), agreement(random), agreement(random)]
    this.#effective = this.#numbers.map(createEffectiveLimits)
    this.#both = random(2) === 0
    this.#limits = create({ ...limitDefaults, searchCountsTowardPackage: this.#both })
  }

  /** Makes a random call; returns true if it was refused. */
  step(compareHeaders: boolean): boolean {
    const random = this.#random
    this.#nowUs += waitUs(random)
    const who = callers[random(3)]!
    const bucket = pick(random, limitBuckets)
    const which = random(3)
    const units = pick(random, [0, 1, 1, 1, 4, 30])
    const subject = who.agreement.subject === 'partner' ? who.partnerId : who.id
    const policies = modelPolicies(this.#numbers[which]!, bucket, this.#both)
    const expected = this.#model.admit(subject, policies, this.#nowUs, 1)
    const outcome = this.#limits.admit(who, this.#effective[which]!, bucket, this.#nowUs)
    compare(outcome.refused ?? [], expected.refused)
    compare([outcome.refused && outcome.retryAfterS], [expected.retryAfterS])
    if (!outcome.refused) {
      this.#nowUs += pick(random, [0, 0, 0, 700, 2_000_000])
      const refused = outcome.charge(units, this.#nowUs)?.refused ?? []
      compare(refused, this.#model.charge(subject, policies, this.#nowUs, units))
    }
    if (compareHeaders) {
      const header = this.#limits.headers(who, this.#effective[which]!, bucket, this.#nowUs).RateLimit!
      compare(
        [...header.matchAll(/;r=(\d+)/g)].map(match => Number(match[1])),
        listLefts(this.#model, subject, policies, this.#nowUs),
      )
    }
    return outcome.refused !== undefined
  }
}

/** Rates, bursts and quotas that are small enough to reach every branch. */
const agreement = (random: Random): Required<Numbers> => ({
  rate: pick(random, [0.4, 1, 3, 7, 10, 25]),
  burst: pick(random, [1, 2, 5, 10]),
  quota: pick(random, [3, 20, 100, 'unlimited' as const]),
  searchRate: pick(random, [0.5, 1, 3]),
  searchBurst: pick(random, [1, 5]),
  searchQuota: pick(random, [5, 50, 'unlimited' as const]),
  autocompleteRate: pick(random, [0.5, 2, 7]),
  autocompleteBurst: pick(random, [1, 4]),
})

function waitUs(random: Random): number {
  const kind = random(11)
  return kind < 6 ? pick(random, usualWaitsUs) : kind < 10 ? random(3_000_000) : pick(random, longWaitsUs)
}

/** Returns the policies of a bucket for the model. */
export function modelPolicies(n: Required<Numbers>, bucket: LimitedBucket, both: boolean): ModelPolicy[] {
  const quota = (value: number | 'unlimited') => (value === 'unlimited' ? Number.POSITIVE_INFINITY : value)
  const pack = { bucket: 'package', rate: n.rate, burst: n.burst, quota: quota(n.quota) }
  const search = { bucket: 'search', rate: n.searchRate, burst: n.searchBurst, quota: quota(n.searchQuota) }
  const [rate, burst] = [n.autocompleteRate, n.autocompleteBurst]
  return {
    package: [pack],
    search: both ? [search, pack] : [search],
    autocomplete: [
      { bucket, rate, burst, quota: quota('unlimited') },
      { ...pack, withoutRate: true },
    ],
  }[bucket]
}

const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)]!

function compare(found: readonly (string | number | undefined)[], expected: typeof found): void {
  if (found.length === expected.length && found.every((one, i) => one === expected[i])) return
  throw new Error(`the limiter has ${JSON.stringify(found)}, the model ${JSON.stringify(expected)}`)
}
