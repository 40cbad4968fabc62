import { DurationHistogram } from '../kit/histogram.ts'
import type { Logger } from '../kit/log.ts'
import type { LeasedDownloads } from '../limits/shared/leased-downloads.ts'
import type { Line } from '../limits/shared/line.ts'
import type { MemberMode } from '../limits/shared/member-parts.ts'
import type { NodeLimitParts, NodeLimits } from '../limits/shared/node-limits.ts'
import type { RoundCounters } from '../limits/shared/round-parts.ts'

interface SharedNodeParts {
  readonly log: Logger
  readonly line: Pick<Line, 'offsetUs' | 'confirmedStepUs'>
  /** The open downloads of the node. */
  readonly downloads: Pick<LeasedDownloads, 'open'>
  /** Place of the shared states, for messages. */
  readonly place: string
  /** Ends the leases of downloads, and closes what the limits are shared in. */
  readonly close: () => Promise<void>
}

/** State of the shared limits, for metrics. */
export interface SharedLimitMeasures {
  readonly rounds: Readonly<RoundCounters>
  readonly mode: MemberMode
  /** The epoch of the node; 0 while it is in none. */
  readonly epoch: number
  /** The times in no epoch between two. */
  readonly pauses: DurationHistogram
  /** Number of calls whose fold has ended an epoch. */
  readonly lateRecords: number
  readonly aloneUnits: number
  readonly lineOffsetSeconds: number
  readonly openDownloads: number
}

/** Upper bounds of pauses, in seconds. */
const pauseBoundsS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** Maximum wait of a start for the first epoch, in milliseconds; afterwards calls are refused until then. */
const startWithinMs = 5000

/** The part of a running service in the limits that nodes share: its start and end, and what operators see of it. */
export class SharedNode {
  /** Callbacks of the limits. */
  readonly listener: Required<
    Pick<NodeLimitParts, 'onReplaced' | 'onMode' | 'onError' | 'onUnreadable' | 'countAloneUnits'>
  >
  readonly #parts: SharedNodeParts
  readonly #replaced = Promise.withResolvers<undefined>()
  readonly #started = Promise.withResolvers<void>()
  #limits: NodeLimits | undefined
  /** The reason why the node could not join, as it was logged last. */
  #error: string | undefined
  #isReplaced = false
  #hasDecided = false
  #hasUnreadable = false
  #aloneUnits = 0
  #lateRecords = 0
  readonly #pauses = new DurationHistogram(pauseBoundsS)
  /** Time without an epoch until the last one was entered, in microseconds. */
  #pausedUs = 0

  constructor(parts: SharedNodeParts) {
    this.#parts = parts
    this.listener = {
      onReplaced: () => this.#noteReplaced(),
      onMode: mode => this.#noteMode(mode),
      onError: error => this.#noteError(error),
      onUnreadable: error => this.#noteUnreadable(error),
      countAloneUnits: units => {
        this.#aloneUnits += units
      },
    }
  }

  /** Sets the limits that the callbacks belong to. */
  follow(limits: NodeLimits): void {
    this.#limits = limits
  }

  /** Counts the calls of a fold that shared limits did not know. */
  addLateRecords(count: number): void {
    this.#lateRecords += count
  }

  /** Resolves when another process has registered as this node; this one must end. */
  get replaced(): Promise<undefined> {
    return this.#replaced.promise
  }

  /** Starts to join the other nodes. Resolves when calls are decided, or after some seconds. */
  async start(): Promise<void> {
    const timer = setTimeout(this.#started.resolve, startWithinMs)
    this.#limits!.member.start()
    await this.#started.promise
    clearTimeout(timer)
  }

  /** Folds everything and leaves the other nodes. Without the database, the next start folds. */
  async stop(): Promise<void> {
    const { log, close } = this.#parts
    await this.#limits!.member.stop().catch(error =>
      log.warn({ err: error }, 'Could not fold the usage journal at the end; the next start does.'),
    )
    await close()
  }

  /** Returns why other nodes should get the requests. */
  reasons(): string[] {
    const { member } = this.#limits!
    const { confirmedStepUs } = this.#parts.line
    return [
      ...(this.#hasDecided ? [] : [`has not joined the nodes that share limits yet${this.#because()}`]),
      ...(member.isOut ? [`cannot reach the shared limits, and other nodes can${this.#because()}`] : []),
      ...(confirmedStepUs === 0 ? [] : [`its clock is ${confirmedStepUs / 1_000_000} s off those of the other nodes`]),
    ]
  }

  /** Returns messages for operators. */
  notes(): string[] {
    const differing = this.#limits!.member.differing.map(
      ({ name, node }) => `Config differs: the settings of this node are not those of node ${node} on ${name}.`,
    )
    return [...this.#limitNotes(), ...differing]
  }

  measures(): SharedLimitMeasures {
    const { member, rounds } = this.#limits!
    return {
      rounds: rounds.counters,
      mode: member.mode,
      epoch: rounds.epoch ?? 0,
      pauses: this.#pauses,
      lateRecords: this.#lateRecords,
      aloneUnits: this.#aloneUnits,
      lineOffsetSeconds: this.#parts.line.offsetUs / 1_000_000,
      openDownloads: this.#parts.downloads.open,
    }
  }

  #limitNotes(): string[] {
    const { mode, sharers } = this.#limits!.member
    if (mode === 'alone')
      return [`The shared limits cannot be reached: this node applies 1/${sharers} of each${this.#because()}.`]
    return mode === 'joining' && this.#error !== undefined
      ? [`The shared limits cannot be reached: calls are refused${this.#because()}.`]
      : []
  }

  #because(): string {
    return this.#error === undefined ? '' : ` (${this.#error})`
  }

  #noteReplaced(): void {
    if (this.#isReplaced) return
    this.#isReplaced = true
    this.#parts.log.error('Another process serves as this node, so this one ends.')
    this.#replaced.resolve(undefined)
  }

  #noteMode(mode: MemberMode): void {
    const { log, place } = this.#parts
    if (mode === 'in' || mode === 'alone') {
      this.#hasDecided = true
      this.#started.resolve()
    }
    if (mode === 'in') {
      this.#error = undefined
      this.#addPause()
      log.info({ epoch: this.#limits!.rounds.epoch }, `Shares limits in ${place}.`)
    } else if (mode === 'alone') log.warn(this.#limitNotes()[0])
  }

  /** Adds the time since the node has left the last epoch; the wait of its start is no pause. */
  #addPause(): void {
    const { joins, pausedUs } = this.#limits!.member.counters
    if (joins > 1) this.#pauses.add((pausedUs - this.#pausedUs) / 1_000_000)
    this.#pausedUs = pausedUs
  }

  /** Logs the first state of a newer release: this process is not one of the nodes any more. */
  #noteUnreadable(error: unknown): void {
    if (!this.#hasUnreadable)
      this.#parts.log.error({ err: error }, 'Could not read a shared limit; its calls are refused.')
    this.#hasUnreadable = true
  }

  /** Logs a reason once until it changes or the node has joined. */
  #noteError(error: unknown): void {
    const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
    if (reason === this.#error) return
    this.#error = reason
    this.#parts.log.warn(
      { err: error },
      `Could not join the nodes that share limits in ${this.#parts.place}${this.#because()}; will retry.`,
    )
  }
}
