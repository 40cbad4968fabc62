import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ClockBefore, measureClockStep } from './clock-step.ts'
import { caller, createEffectiveLimits, someTimeUs } from './limits.fixture.ts'
import { Limits } from './limits.ts'
import { createTimeline } from './timeline.ts'

const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const startMs = Math.floor(someTimeUs / 1000)
const boot = (ms: number, id = 'first') => ({ id, us: ms * 1000 })

describe('the step of the wall clock between two processes', () => {
  /**
   * A process that started at `startMs` with a machine that ran for an hour, and whose last call was a minute later.
   */
  const before = (more: Partial<ClockBefore> = {}): ClockBefore => ({
    last: { timeMs: startMs + minuteMs, shiftMs: 0 },
    start: { wallMs: startMs, boot: boot(hourMs) },
    behindMs: 0,
    ...more,
  })
  const at = (ms: number, bootMs?: number, id?: string) => ({
    wallMs: startMs + minuteMs + ms,
    boot: bootMs === undefined ? undefined : boot(hourMs + minuteMs + bootMs, id),
  })
  const none = { stepMs: 0, behindMs: 0 }

  it.each([
    ['a restart', before(), at(5000, 5000), none],
    ['a pause of three days', before(), at(3 * dayMs, 3 * dayMs), none],
    ['a clock that drifts', before(), at(10 * minuteMs, 5 * minuteMs), none],
    ['a clock that is set forward', before(), at(2 * dayMs + 5000, 5000), { stepMs: 2 * dayMs, behindMs: 0 }],
    ['a clock that is set back', before(), at(-2 * dayMs, 5000), { stepMs: -2 * dayMs, behindMs: 2 * dayMs }],
    ['a clock that is adjusted gradually', before(), at(-200, 5000), { stepMs: -200, behindMs: 0 }],
    ['a clock that is ahead after a start of the machine', before(), at(2 * dayMs, 0, 'second'), none],
    ['a machine without a time since its start', before(), at(2 * dayMs), none],
    ['a container whose time starts again', before(), at(2 * dayMs, -hourMs - 2 * minuteMs), none],
    ['a process of an earlier release', before({ start: undefined }), at(2 * dayMs, 5000), none],
    [
      'the correction of a clock that was behind',
      before({ behindMs: 2 * dayMs }),
      at(2 * dayMs + 5000, 0, 'second'),
      { stepMs: 2 * dayMs, behindMs: 0 },
    ],
    [
      'a part of that correction',
      before({ behindMs: 2 * dayMs }),
      at(dayMs, 0, 'second'),
      { stepMs: dayMs, behindMs: dayMs },
    ],
    [
      'a pause while the clock is behind',
      before({ behindMs: 2 * dayMs }),
      at(dayMs, dayMs),
      { stepMs: 0, behindMs: 2 * dayMs },
    ],
    [
      'a clock that was corrected while the process ran',
      before({ behindMs: 2 * dayMs, last: { timeMs: startMs + 2 * dayMs, shiftMs: 2 * dayMs } }),
      { wallMs: startMs + 2 * dayMs + hourMs, boot: undefined },
      none,
    ],
    [
      'a clock that was set back while the process ran, and is corrected',
      before({ last: { timeMs: startMs - dayMs, shiftMs: -dayMs } }),
      { wallMs: startMs + minuteMs, boot: undefined },
      { stepMs: dayMs, behindMs: 0 },
    ],
  ])('%s', (_, clocks, now, step) => {
    expect(measureClockStep(clocks, now)).toEqual(step)
  })
})

/** A machine with a wall clock that can be wrong, and a process on it that limits the calls of one key. */
class Machine {
  /** True time. */
  nowMs = startMs
  errorMs = 0
  bootId = 0
  /** True time at which the current window was opened; undefined without a call. */
  openedMs: number | undefined
  readonly #key = caller('k1')
  readonly #bound = createEffectiveLimits({ rate: 1_000_000, quota: 3 })
  #limits = new Limits()
  #bootMs = startMs
  #processMs = startMs
  #timeline = createTimeline({ wallMs: startMs, monotonicUs: 0 })
  #last = { timeMs: startMs, shiftMs: 0 }
  #start: NonNullable<ClockBefore['start']> = { wallMs: startMs, boot: boot(0, '0') }
  #behindMs = 0

  get #wallMs(): number {
    return this.nowMs + this.errorMs
  }
  get #nowUs(): number {
    return this.#timeline.at((this.nowMs - this.#processMs) * 1000)
  }
  get #boot() {
    return boot(this.nowMs - this.#bootMs, String(this.bootId))
  }

  /** Calls once; returns whether the call was admitted and whether it opened a window. */
  call(): { admitted: boolean; opened: boolean } {
    const windowOf = () => [...this.#limits.states(this.#nowUs)][0]?.windowStartMs ?? 0
    const before = windowOf()
    const outcome = this.#limits.admit(this.#key, this.#bound, 'package', this.#nowUs)
    const admitted = !outcome.refused && !outcome.charge(1, this.#nowUs)
    this.#last = { timeMs: this.#wallMs, shiftMs: this.#timeline.shiftMs(this.#wallMs, this.#nowUs) }
    return { admitted, opened: admitted && windowOf() !== before }
  }

  restart(): void {
    const stored = [...this.#limits.states(0)]
    const step = measureClockStep(
      { last: this.#last, start: this.#start, behindMs: this.#behindMs },
      { wallMs: this.#wallMs, boot: this.#boot },
    )
    this.#processMs = this.nowMs
    this.#timeline = createTimeline({ wallMs: this.#wallMs, monotonicUs: 0 })
    this.#limits = new Limits()
    this.#limits.restore(stored, this.#nowUs, { ...this.#last, setForwardMs: Math.max(0, step.stepMs) })
    this.#last = { timeMs: this.#wallMs, shiftMs: 0 }
    this.#start = { wallMs: this.#wallMs, boot: this.#boot }
    this.#behindMs = step.behindMs
  }

  /** Starts the machine again, and the process. */
  startAgain(): void {
    this.bootId++
    this.#bootMs = this.nowMs
    this.restart()
  }
}

describe('a restart under a wrong clock (R-29)', () => {
  const hours = (max: number) => fc.integer({ min: 0, max: max * 4 }).map(quarters => quarters * 15 * minuteMs)
  const action = fc.oneof(
    { weight: 4, arbitrary: fc.record({ pass: hours(30) }) },
    { weight: 6, arbitrary: fc.record({ calls: fc.integer({ min: 1, max: 4 }) }) },
    {
      weight: 3,
      arbitrary: fc.record({ restart: fc.constantFrom('process' as const, 'machine' as const), down: hours(40) }),
    },
    // Relative to true time: days behind, right, or days ahead.
    {
      weight: 3,
      arbitrary: fc.record({ error: fc.integer({ min: -60, max: 60 }).map(n => (n % 5 === 0 ? 0 : n * hourMs)) }),
    },
  )
  interface Action {
    readonly pass?: number
    readonly calls?: number
    readonly restart?: 'process' | 'machine'
    readonly down?: number
    readonly error?: number
  }

  it('neither shortens a window nor gives a fresh quota, and a window ends within a day of running', () => {
    let windows = 0
    const run = (actions: readonly Action[]) => {
      const machine = new Machine()
      let openedMs: number | undefined
      let left = 0
      const call = () => {
        const { admitted, opened } = machine.call()
        if (opened) {
          if (openedMs !== undefined) {
            windows++
            expect(machine.nowMs - openedMs).toBeGreaterThanOrEqual(dayMs)
          }
          openedMs = machine.nowMs
          left = 3
        }
        if (admitted) left--
        expect(left).toBeGreaterThanOrEqual(0)
        return admitted
      }
      for (const { pass, calls, restart, down, error } of actions) {
        if (pass !== undefined) machine.nowMs += pass
        // Only a machine that is started again can be ahead without being noticed: exclude that case, which is a pause.
        if (error !== undefined) machine.errorMs = error
        for (let i = 0; i < (calls ?? 0); i++) call()
        if (restart) {
          machine.nowMs += down ?? 0
          if (restart === 'machine') {
            machine.errorMs = Math.min(machine.errorMs, 0)
            machine.startAgain()
          } else machine.restart()
        }
      }
      machine.nowMs += dayMs
      expect(call()).toBe(true)
    }
    fc.assert(fc.property(fc.array(action, { minLength: 5, maxLength: 40 }), run), { numRuns: 1500, seed: 20_261_122 })
    expect(windows).toBeGreaterThan(1000)
  })
})
