import { limitDefaults } from '../../../access/limits.ts'
import { fault } from '../../../domain/fault.ts'
import type { UsageCursor } from '../../../domain/ledger.ts'
import { type LimitStates, type StateSwap, StatesUnavailable } from '../../../domain/limit-states.ts'
import type { Membership } from '../../../domain/membership.ts'
import type { AppendResult, UsageRecord } from '../../../domain/usage.ts'
import { createCall } from '../../limits.fixture.ts'
import type { Member } from '../member.ts'
import { createNodeLimits } from '../node-limits.ts'
import { pause, type Scheduler } from '../scheduler.ts'
import { toCursor } from './memory-cluster.fixture.ts'
import { type SimulatedWorld, SpyingRounds } from './world.fixture.ts'

/** Start of the line of all nodes: the middle of a UTC day. */
const lineStartUs = 1_800_014_400_000_000
const foldMs = 250
export const silentUs = 3_000_000
const requestLimitMs = 1000

/** A node whose process can be killed and stopped, and whose links can be cut. Its journal survives. */
export class SimulatedNode {
  readonly name: string
  readonly journal: UsageRecord[] = []
  readonly cutUntilUs = { cache: 0, store: 0 }
  /** Calls by request, when they were admitted: the number of nodes then, and the epochs that the process had seen. */
  readonly opened = new Map<string, { readonly us: number; readonly sharers: number; readonly since: string }>()
  lastBeatUs = 0
  /** Time of the first beat after a silence. */
  resumedUs = 0
  #world: SimulatedWorld
  #life = 0
  #stoppedUntilUs = 0
  #running: ReturnType<SimulatedNode['createParts']> | undefined

  constructor(name: string, world: SimulatedWorld) {
    this.name = name
    this.#world = world
  }

  get mode(): Member['mode'] | 'dead' {
    return this.#running?.member.mode ?? 'dead'
  }

  get counters() {
    return this.#running?.rounds.counters
  }

  start(): void {
    const running = this.createParts(this.#createScheduler())
    this.#running = running
    running.member.start()
    const { scheduler, foldAll } = running
    const fold = async (): Promise<void> => {
      await foldAll().catch(() => {})
      await pause(scheduler, foldMs)
      return fold()
    }
    fold()
  }

  kill(): void {
    this.#life++
    this.#running = undefined
    this.#stoppedUntilUs = 0
  }

  stopUntil(us: number): void {
    this.#stoppedUntilUs = Math.max(this.#stoppedUntilUs, us)
  }

  /** Makes a call that works for some time. */
  call(key: string, requestId: string, workMs: number, status = 200): void {
    this.#guard(async () => {
      const running = this.#running
      if (!running) return
      const { limits, scheduler, member } = running
      const { bucket, numbers } = this.#world
      const autocomplete = { autocompleteRate: numbers.rate, autocompleteBurst: numbers.burst }
      const ticket = await limits[bucket].open({
        ...createCall('getLocation', { ...numbers, ...autocomplete }, { id: key }),
        requestId,
      })
      const since = `process ${this.#life}, epoch ${member.counters.joins}`
      this.opened.set(requestId, { us: this.#world.time.nowUs, sharers: member.sharers, since })
      if (!ticket.refusal) await pause(scheduler, workMs)
      const settlement = await ticket.settle({ status: ticket.refusal ? 429 : status, entities: 1 })
      if (settlement.record) settlement.record.conclude(await settlement.record.written)
    })()
  }

  /** Returns a function that runs in the present life of the process, once it is not stopped. */
  #guard(run: () => void): () => void {
    const life = this.#life
    const guarded = (): void => {
      if (life !== this.#life) return
      const { time } = this.#world
      if (time.nowUs < this.#stoppedUntilUs) time.at(this.#stoppedUntilUs, guarded)
      else run()
    }
    return guarded
  }

  #createScheduler(): Scheduler {
    const { time } = this.#world
    return {
      monotonicUs: () => time.nowUs,
      after: (ms, run) => {
        let isCancelled = false
        time.at(
          time.nowUs + ms * 1000,
          this.#guard(() => {
            if (!isCancelled) run()
          }),
        )
        return () => {
          isCancelled = true
        }
      },
      endOfTurn: run => time.at(time.nowUs, this.#guard(run)),
      random: () => time.random(1000) / 1000,
    }
  }

  createParts(scheduler: Scheduler) {
    const world = this.#world
    const lineUs = () => lineStartUs + world.time.nowUs
    const states = this.#createStates(world)
    const membership = this.#createMembership(world)
    const journal = this.#createJournal(scheduler)
    const foldAll = this.#createFold(world, scheduler)
    const node = createNodeLimits({
      states,
      membership,
      journal,
      settings: { ...limitDefaults, penalty: world.penalty },
      scheduler,
      line: { nowUs: lineUs, follow: async () => {}, correct: async () => true, confirmedStepUs: 0 },
      meters: new Proxy({}, { get: () => ({ meter: 'call', weight: 1 }) }) as never,
      counters: { countRefusal: () => {}, countUnits: () => {} },
      foldAll,
      whenDown: world.whenDown,
      refuseVoid: () => fault('metering_unavailable'),
      onReplaced: () => {},
      createRounds: parts => new SpyingRounds(parts, world.onToken),
    })
    return { ...node, scheduler, foldAll }
  }

  /** A journal that writes the records of a turn together. */
  #createJournal(scheduler: Scheduler) {
    let turn: { record: UsageRecord; resolve: (result: AppendResult) => void }[] = []
    const write = (): void => {
      const written = turn
      turn = []
      for (const { record, resolve } of written) {
        this.journal.push(record)
        resolve('written')
      }
    }
    return {
      failure: () => undefined,
      append: (record: UsageRecord) =>
        new Promise<AppendResult>(resolve => {
          if (turn.push({ record, resolve }) === 1) scheduler.endOfTurn(write)
        }),
    }
  }

  /** Folds one at a time, each to the end that the journal has when the fold begins. */
  #createFold(world: SimulatedWorld, scheduler: Scheduler): () => Promise<UsageCursor> {
    const { store } = world
    let last: Promise<unknown> = Promise.resolve()
    const fold = async (): Promise<UsageCursor> => {
      await new Promise<void>(resolve => scheduler.endOfTurn(resolve))
      for (;;) {
        const from = await this.#send('store', () => store.cluster.positionOf(this.name))
        const records = this.journal.slice(from)
        if (records.length === 0) return toCursor(from)
        const isFailing = () => world.time.nowUs < store.foldsFailUntilUs
        const commit = () => (isFailing() ? undefined : store.cluster.fold(this.name, from, records))
        if (!(await this.#send('store', commit))) throw new Error('The fold was locked out.')
      }
    }
    return () => {
      const next = last.then(fold, fold)
      last = next.catch(() => {})
      return next
    }
  }

  #createStates({ cache }: SimulatedWorld): LimitStates {
    const { states } = cache
    return {
      get: (subjects: readonly string[]) => this.#send('cache', () => states.get(subjects)),
      swap: (swaps: readonly StateSwap[]) => this.#send('cache', () => states.swap(swaps)),
      identity: () => this.#send('cache', () => states.identity()),
      epoch: () => this.#send('cache', () => states.epoch()),
      raiseEpoch: (from, to) => this.#send('cache', () => states.raiseEpoch(from, to)),
      failOverMs: () => this.#send('cache', () => states.failOverMs()),
      clockUs: () => this.#send('cache', () => states.clockUs()),
      close: async () => {},
    }
  }

  #createMembership({ store, time }: SimulatedWorld): Membership {
    const { cluster } = store
    const send = <T>(apply: () => T) => this.#send('store', apply)
    return {
      register: async () => true,
      beat: report =>
        send(() => {
          if (time.nowUs - this.lastBeatUs >= silentUs) this.resumedUs = time.nowUs
          this.lastBeatUs = time.nowUs
          return cluster.beat(this.name, report)
        }),
      openEpoch: (seen, next) => send(() => cluster.openEpoch(seen, next)),
      enter: (seen, position) => send(() => cluster.enter(this.name, seen, Number(position))),
      finishOpening: epoch => send(() => cluster.finishOpening(epoch)),
      markLate: epoch => send(() => cluster.markLate(epoch)),
      clockUs: async () => lineStartUs + time.nowUs,
      seeds: subjects => send(() => cluster.seeds(subjects)),
    }
  }

  /** Sends a request to a server; it, or its reply, may be lost. */
  #send<T>(link: 'cache' | 'store', apply: () => T | Promise<T>): Promise<T> {
    const { time } = this.#world
    const server = this.#world[link]
    const refuse = () => (link === 'cache' ? new StatesUnavailable('unreachable') : new Error('unreachable'))
    const isCut = () => time.nowUs < this.cutUntilUs[link]
    return new Promise<T>((resolve, reject) => {
      const deliver = (run: () => void) => time.at(time.nowUs + this.#delayUs(), this.#guard(run))
      time.at(
        time.nowUs + requestLimitMs * 1000,
        this.#guard(() => reject(refuse())),
      )
      if (isCut()) return
      time.at(time.nowUs + this.#delayUs(), () => {
        if (isCut()) return
        if (time.nowUs < server.downUntilUs) {
          deliver(() => reject(refuse()))
          return
        }
        const { life } = server
        const result = apply()
        time.at(time.nowUs + this.#delayUs(), () => {
          if (isCut()) return
          // A server that has ended closes its connections.
          if (server.life === life) this.#guard(() => resolve(result))()
          else this.#guard(() => reject(refuse()))()
        })
      })
    })
  }

  #delayUs(): number {
    const { time, slowUntilUs } = this.#world
    if (time.nowUs < slowUntilUs) return time.between(1000, 200_000)
    return time.random(200) === 0 ? time.between(1000, 300_000) : time.between(50, 800)
  }
}
