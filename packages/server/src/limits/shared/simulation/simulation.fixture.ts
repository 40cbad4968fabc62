import { generator } from '../../../access/limits-walk.fixture.ts'
import { penaltyDefaults } from '../../../access/penalty.ts'
import type { UsageRecord } from '../../../domain/usage.ts'
import { MemoryStates } from '../memory-states.fixture.ts'
import { Faults } from './faults.fixture.ts'
import { type LeftOut, MemoryCluster } from './memory-cluster.fixture.ts'
import { SimulatedNode, silentUs } from './node.fixture.ts'
import { VirtualTime } from './virtual-time.fixture.ts'
import type { SimulatedWorld } from './world.fixture.ts'

export interface SimulationOptions {
  readonly seed: number
  /** A part of the protocol to leave out. */
  readonly leftOut?: LeftOut
  readonly prints?: boolean
}

/** The result of a simulation. */
export interface SimulationReport {
  /** Sentences about calls that must not have been admitted; empty if the protocol is right. */
  readonly violations: readonly string[]
  readonly admitted: number
  readonly epochs: number
  /** Calls that the ledger learnt in a later epoch, and calls that nodes admitted alone. */
  readonly late: number
  readonly alone: number
}

type Numbers = SimulatedWorld['numbers']

const secondUs = 1_000_000
const faultsUs = 20 * secondUs
const healedUs = 15 * secondUs
const keys = ['k1', 'k2']

/** Runs nodes, cache and store in virtual time through random faults, and checks all admitted calls. */
export async function simulate({ seed, leftOut, prints = false }: SimulationOptions): Promise<SimulationReport> {
  const simulation = new Simulation(seed, leftOut, prints)
  await simulation.run()
  return simulation.report()
}

class Simulation {
  readonly #time: VirtualTime
  readonly #world: SimulatedWorld
  readonly #nodes: readonly SimulatedNode[]
  readonly #faults: Faults
  readonly #prints: boolean
  readonly #violations: string[] = []
  /** Times at which rate tokens were spent, by key and epoch. */
  readonly #tokensUs = new Map<string, number[]>()
  /** Records that were folded when an epoch opened. */
  readonly #foldedAtOpen = new Map<number, number>()
  /** Units of each key that were admitted before the last calls. */
  readonly #unitsBefore = new Map<string, number>()
  #calls = 0

  constructor(seed: number, leftOut: LeftOut | undefined, prints: boolean) {
    // The first numbers of near seeds are near.
    const time = new VirtualTime(generator(Math.imul(seed, 2_654_435_761)))
    this.#time = time
    this.#prints = prints
    const isRate = time.random(2) === 0
    this.#world = {
      time,
      cache: { downUntilUs: 0, life: 0, states: new MemoryStates() },
      store: {
        downUntilUs: 0,
        life: 0,
        foldsFailUntilUs: 0,
        cluster: new MemoryCluster(epoch => this.#checkOpening(epoch), leftOut),
      },
      slowUntilUs: 0,
      whenDown: time.random(2) === 0 ? 'share' : 'refuse',
      // Calls that spend the rate of one bucket and the quota of another.
      bucket: leftOut === undefined && seed % 3 === 0 ? 'autocomplete' : 'package',
      numbers: isRate ? { rate: 2, burst: 3, quota: 1000 } : { rate: 1000, burst: 1000, quota: time.between(15, 300) },
      penalty: { ...penaltyDefaults, enabled: time.random(4) === 0 },
      onToken: (key, epoch, nowUs) => {
        const id = `${key} ${epoch}`
        this.#tokensUs.set(id, [...(this.#tokensUs.get(id) ?? []), nowUs])
      },
    }
    const names = ['a', 'b', 'c'].slice(0, time.between(2, 3))
    this.#nodes = names.map(name => new SimulatedNode(name, this.#world))
    this.#faults = new Faults(this.#world, this.#nodes, text => this.#print(text))
  }

  async run(): Promise<void> {
    const time = this.#time
    for (const node of this.#nodes) time.at(time.random(50_000), () => node.start())
    this.#scheduleCalls(50_000, faultsUs + healedUs)
    for (let us = 500_000; us < faultsUs; us += time.between(100_000, 3_000_000)) time.at(us, () => this.#faults.fail())
    // Nothing after it covers what the last fault leaves behind.
    time.at(faultsUs, () => this.#faults.leaveUnknownUnits())
    await time.runUntil(faultsUs + healedUs)
    // A slow message may make a node join again at any time.
    const untilUs = time.nowUs + secondUs
    while (time.nowUs < untilUs && this.#nodes.some(({ mode }) => mode !== 'in'))
      await time.runUntil(time.nowUs + 10_000)
    for (const { name, mode } of this.#nodes) if (mode !== 'in') this.#violate(`Node ${name} has not joined: ${mode}.`)
    for (const record of this.#records().filter(isAdmitted)) addUnits(this.#unitsBefore, record)
    this.#exhaust()
    await time.runUntil(time.nowUs + 6 * secondUs)
  }

  report(): SimulationReport {
    const admitted = this.#records().filter(isAdmitted)
    this.#checkLedger(admitted)
    this.#checkEpochs(admitted)
    this.#checkAlone()
    this.#checkLastCalls(admitted)
    return {
      violations: this.#violations,
      admitted: admitted.length,
      epochs: this.#foldedAtOpen.size,
      late: this.#countLate(),
      alone: admitted.filter(({ epoch }) => epoch === 0).length,
    }
  }

  /** Counts the calls that were folded after a later epoch had opened. */
  #countLate(): number {
    const { folded } = this.#world.store.cluster
    const openings = [...this.#foldedAtOpen]
    const isLate = ({ epoch, status }: UsageRecord, i: number) =>
      status === 200 && epoch !== 0 && openings.some(([later, count]) => later > epoch! && count <= i)
    return folded.filter(isLate).length
  }

  #records(): UsageRecord[] {
    return this.#nodes.flatMap(({ journal }) => journal)
  }

  #scheduleCalls(fromUs: number, toUs: number): void {
    const time = this.#time
    for (let us = fromUs; us < toUs; us += time.between(1000, 250_000)) {
      time.at(us, () => {
        // Some calls come together, and some fail.
        for (let i = time.random(3); i >= 0; i--) {
          const node = this.#nodes[time.random(this.#nodes.length)]!
          const workMs = time.random(4) === 0 ? time.random(40) : 0
          node.call(keys[time.random(2)]!, `request ${this.#calls++}`, workMs, time.random(20) === 0 ? 500 : 200)
        }
      })
    }
  }

  /** Makes more calls than the quota of each key has left. */
  #exhaust(): void {
    const time = this.#time
    const { quota } = this.#world.numbers
    for (const key of keys) {
      const left = quota - (this.#unitsBefore.get(key) ?? 0)
      for (let i = 0; i < Math.min(250, left + 10); i++) {
        const node = this.#nodes[time.random(this.#nodes.length)]!
        time.at(time.nowUs + i * 10_000, () => node.call(key, `request ${this.#calls++}`, 0))
      }
    }
  }

  /** An epoch may open only when every live node has folded what it decided in earlier ones. */
  #checkOpening(epoch: number): void {
    const { cluster } = this.#world.store
    this.#print(`epoch ${epoch} opens`)
    this.#foldedAtOpen.set(epoch, cluster.folded.length)
    for (const { name, journal, lastBeatUs, resumedUs } of this.#nodes) {
      const unknown = journal.slice(cluster.positionOf(name)).filter(record => record.epoch !== 0 && isAdmitted(record))
      const sinceUs = this.#time.nowUs - lastBeatUs
      // A node that was silent may return while the message that opens the epoch is on its way.
      const isSilent = sinceUs >= silentUs || this.#time.nowUs - resumedUs < secondUs
      if (unknown.length > 0 && !isSilent)
        this.#violate(
          `Epoch ${epoch} opened ${sinceUs} µs after ${name} lived, without ${unknown.length} of its calls.`,
        )
    }
  }

  /** Every recorded call is folded once, and the state of each key has all units. */
  #checkLedger(admitted: readonly UsageRecord[]): void {
    const { cluster } = this.#world.store
    for (const { name, journal } of this.#nodes) {
      if (cluster.positionOf(name) !== journal.length) this.#violate(`Node ${name} has not folded its journal.`)
    }
    const units = new Map<string, number>()
    for (const record of admitted) addUnits(units, record)
    for (const { subject, bucket, used, windowStartMs, carried } of cluster.states.values()) {
      if (used !== (units.get(subject) ?? 0)) this.#violate(`${subject} has ${used} units, not ${units.get(subject)}.`)
      const own = admitted.filter(
        ({ subject: of, marks }) =>
          of === subject && marks.find(mark => mark.bucket === bucket)!.windowStartMs === windowStartMs,
      )
      if (own.length + carried! !== used) this.#violate(`${subject} has ${own.length} + ${carried} units, not ${used}.`)
    }
  }

  /** In an epoch, all that was folded when it opened and all that was decided in it keep the limits. */
  #checkEpochs(admitted: readonly UsageRecord[]): void {
    const { folded } = this.#world.store.cluster
    for (const [epoch, count] of this.#foldedAtOpen) {
      const before = folded.slice(0, count).filter(isAdmitted)
      for (const key of keys) {
        const ofKey = ({ subject }: UsageRecord) => subject === key
        const decided = admitted.filter(record => record.epoch === epoch && ofKey(record))
        this.#checkQuota(`${key} in epoch ${epoch}`, this.#world.numbers, before.filter(ofKey).length, decided.length)
        const tatUs = Math.max(0, ...before.filter(ofKey).map(record => record.marks[0]!.tatUs))
        this.#checkRate(
          `${key} in epoch ${epoch}`,
          this.#world.numbers,
          tatUs,
          this.#tokensUs.get(`${key} ${epoch}`) ?? [],
        )
      }
    }
    const opened = new Set([0, ...this.#foldedAtOpen.keys()])
    for (const { epoch } of admitted) {
      if (!opened.has(epoch!)) this.#violate(`A call was decided in epoch ${epoch}, which never opened.`)
    }
  }

  #checkQuota(where: string, { quota }: Pick<Numbers, 'quota'>, before: number, admitted: number): void {
    if (admitted > Math.max(0, quota - before)) this.#violate(`${where}: ${before} + ${admitted} units of ${quota}.`)
  }

  /** Replays tokens through a bucket that is full again at `tatUs`, in the order of their decisions. */
  #checkRate(where: string, { rate, burst }: Omit<Numbers, 'quota'>, tatUs: number, tokensUs: readonly number[]): void {
    const intervalUs = Math.ceil(1_000_000 / rate)
    let tat = tatUs
    for (const nowUs of tokensUs.toSorted((a, b) => a - b)) {
      if (tat - (burst - 1) * intervalUs > nowUs) this.#violate(`${where}: a call at ${nowUs} is too early.`)
      tat = Math.max(tat, nowUs) + intervalUs
    }
  }

  /** From one epoch to the next, a node that answers alone keeps to its part of the limits. */
  #checkAlone(): void {
    const { rate, burst, quota } = this.#world.numbers
    for (const { name, journal, opened } of this.#nodes) {
      const calls = journal
        .filter(record => record.epoch === 0 && isAdmitted(record))
        .map(({ subject, requestId }) => ({ subject, ...opened.get(requestId)! }))
      for (const [where, same] of Map.groupBy(calls, ({ subject, since }) => `${subject} alone on ${name}, ${since}`)) {
        const nodes = Math.min(...same.map(call => call.sharers))
        this.#checkQuota(where, { quota: Math.floor(quota / nodes) }, 0, same.length)
        const part = { rate: rate / nodes, burst: Math.max(1, Math.floor(burst / nodes)) }
        const tokensUs = same.map(({ us }) => us)
        this.#checkRate(where, part, 0, tokensUs)
      }
    }
  }

  /** Once all nodes have joined and folded, the limits know every unit. */
  #checkLastCalls(admitted: readonly UsageRecord[]): void {
    const all = new Map<string, number>()
    for (const record of admitted) addUnits(all, record)
    for (const key of keys) {
      const before = this.#unitsBefore.get(key) ?? 0
      this.#checkQuota(`${key} at the end`, this.#world.numbers, before, (all.get(key) ?? 0) - before)
    }
  }

  #violate(text: string): void {
    this.#print(text)
    this.#violations.push(text)
  }

  #print(text: string): void {
    if (this.#prints) console.log(`${(this.#time.nowUs / secondUs).toFixed(3)} ${text}`)
  }
}

const isAdmitted = ({ status }: UsageRecord): boolean => status === 200

const addUnits = (sums: Map<string, number>, { subject, units }: UsageRecord): void => {
  sums.set(subject, (sums.get(subject) ?? 0) + units)
}
