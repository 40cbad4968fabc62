import { StatesUnavailable } from '../../domain/limit-states.ts'
import type { ClusterNode, ClusterView } from '../../domain/membership.ts'
import { awaitOpening, mustReplace, openNext, pauseBriefly } from './epoch-opening.ts'
import { LiveNodes } from './live-nodes.ts'
import type { MemberMode, MemberParts } from './member-parts.ts'
import type { LostCause } from './round-parts.ts'
import type { Scheduler } from './scheduler.ts'

const beatMs = 500
const renewMs = 1000
/** Calls are refused this long before a node without the cache answers alone, in microseconds. */
const refusingUs = 1_000_000

/** Takes a node into the epoch of limits, and out of it. */
export class Member {
  readonly #parts: MemberParts
  readonly #live = new LiveNodes()
  #mode: MemberMode = 'joining'
  #leftUs: number
  /** Number of nodes that divide the limits, from when this one answers alone until it enters an epoch. */
  #sharers: number | undefined
  #joining: Promise<void> | undefined
  /** Beats and renewals that have begun. */
  readonly #working = new Set<Promise<void>>()
  /** Number of epochs that the node has entered. */
  #joins = 0
  /** Total time without an epoch, in microseconds. */
  #pausedUs = 0
  /** True once everything that the node decided in epochs is folded, until it tries to join again. */
  #mayReportOut = false
  #isStopped = false

  constructor(parts: MemberParts) {
    this.#parts = parts
    this.#leftUs = parts.scheduler.monotonicUs()
  }

  get mode(): MemberMode {
    return this.#mode
  }

  /** Number of nodes that divide the limits while this one answers alone. */
  get sharers(): number {
    return this.#sharers ?? 1
  }

  /** The other live nodes of this release that have other settings. */
  get differing(): readonly ClusterNode[] {
    return this.#live.differing
  }

  /** True if the node cannot reach the cache, while others can. */
  get isOut(): boolean {
    return this.#mayReportOut && this.#live.areOthersIn
  }

  /** Number of epochs that the node has entered, and the time that it was in none. */
  get counters(): { readonly joins: number; readonly pausedUs: number } {
    const sinceUs = this.#mode === 'in' ? 0 : this.#parts.scheduler.monotonicUs() - this.#leftUs
    return { joins: this.#joins, pausedUs: this.#pausedUs + sinceUs }
  }

  /** Starts to join and to show that the node lives. */
  start(): void {
    this.#startJoining()
    this.#repeat(beatMs, () => this.#beat())
    this.#repeat(renewMs, () => this.#renew())
  }

  /** Leaves the epoch and joins again, or joins another one. */
  leave(cause: LostCause, epoch: number): void {
    if (this.#isStopped || this.#parts.rounds.epoch !== epoch) return
    this.#parts.rounds.leave()
    this.#setMode('joining')
    this.#leftUs = this.#parts.scheduler.monotonicUs()
    // If this fails, the state is seeded from the ledger.
    if (cause === 'missing') this.#parts.membership.markLate(epoch).catch(() => {})
    this.#startJoining()
  }

  /** Stops to decide, folds everything and reports that the node has left. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#parts.rounds.leave()
    this.#parts.alone?.refuse()
    this.#setMode('stopped')
    await this.#joining
    // A sign of life that is on its way must not follow the report that the node has left.
    await Promise.all(this.#working)
    await this.#parts.rounds.settled()
    await this.#parts.foldAll()
    await this.#parts.membership.beat({ mode: 'left', stepUs: 0 })
  }

  #startJoining(): void {
    this.#joining ??= this.#join().finally(() => {
      this.#joining = undefined
      // The node may have left again since.
      if (this.#mode !== 'in' && !this.#isStopped) this.#startJoining()
    })
  }

  async #join(): Promise<void> {
    const { scheduler } = this.#parts
    while (!this.#isStopped) {
      if (await this.#tryToJoin().catch(error => this.#giveUp(error))) return
      await pauseBriefly(scheduler)
    }
  }

  /** Makes one attempt to enter the current epoch, or to open the next one. */
  async #tryToJoin(): Promise<boolean> {
    const { states, rounds, foldAll, membership, line } = this.#parts
    const identity = await states.identity()
    const there = await states.epoch()
    await line.follow(identity)
    if (!(await this.#view())) return false
    // The ledger must take folds before the node stops to answer alone.
    if (this.#mode === 'alone') await foldAll()
    this.#stopAnswering()
    this.#mayReportOut = false
    await rounds.settled()
    await endOfTurn(this.#parts.scheduler)
    const position = await foldAll()
    const view = await this.#view()
    if (!view) return false
    if (mustReplace(view, identity, there)) {
      // A cache that was lost since must not replace the one of this epoch, which could then never return.
      if ((await states.identity()) === identity) await openNext(this.#parts, view.epoch, identity, there)
      return false
    }
    const { epoch } = view.epoch
    if (!(await states.raiseEpoch(there, epoch)) || !(await membership.enter(view.epoch, position))) return false
    return (await this.#awaitOpening(epoch)) && this.#enter(epoch, identity)
  }

  #awaitOpening(epoch: number): Promise<boolean> {
    return awaitOpening(this.#parts, epoch, {
      look: async () => {
        const view = await this.#view()
        return this.#isStopped ? undefined : view
      },
      isLive: (node, nowUs) => this.#live.isLive(node, nowUs),
    })
  }

  async #enter(epoch: number, identity: string): Promise<boolean> {
    const { states, rounds, scheduler } = this.#parts
    if ((await states.epoch()) !== epoch || (await states.identity()) !== identity || this.#isStopped) return false
    rounds.enter(epoch)
    this.#pausedUs += scheduler.monotonicUs() - this.#leftUs
    this.#joins++
    this.#sharers = undefined
    this.#parts.alone?.forget()
    this.#setMode('in')
    return true
  }

  /** After a second without the cache, the node folds and answers alone if it is to. */
  async #giveUp(error: unknown): Promise<false> {
    const { scheduler, rounds, foldAll, membership, onError } = this.#parts
    onError?.(error)
    const isDown = error instanceof StatesUnavailable && scheduler.monotonicUs() - this.#leftUs >= refusingUs
    // A node that has answered alone since its last epoch continues, whatever keeps it out of the next one.
    if (this.#sharers === undefined && !isDown) return false
    this.#answerAlone()
    if (this.#mayReportOut) return false
    // Others wait only briefly for a node that is out, so that it must have folded. Without the ledger it is not out.
    await rounds.settled()
    await foldAll()
      .then(() => {
        this.#mayReportOut = true
        return membership.beat({ mode: 'out', stepUs: 0 })
      })
      .catch(() => undefined)
    return false
  }

  /** Answers alone. Parts of limits never grow until the node is in an epoch. */
  #answerAlone(): void {
    const { alone } = this.#parts
    if (!alone || this.#isStopped) return
    this.#sharers = Math.max(this.#sharers ?? 1, this.#live.known)
    alone.answer(this.#sharers)
    this.#setMode('alone')
  }

  #stopAnswering(): void {
    if (this.#mode !== 'alone') return
    this.#parts.alone?.refuse()
    this.#setMode('joining')
  }

  #setMode(mode: MemberMode): void {
    if (this.#mode === mode) return
    this.#mode = mode
    this.#parts.onMode?.(mode)
  }

  /** Shows that the node lives, and reads the others. */
  async #view(): Promise<ClusterView | undefined> {
    const { membership, scheduler, onReplaced } = this.#parts
    const view = await membership.beat({
      mode: this.#mayReportOut ? 'out' : 'in',
      stepUs: this.#parts.line.confirmedStepUs,
    })
    if (!view) {
      onReplaced()
      return undefined
    }
    this.#parts.rounds.useFormsOf(view.oldest)
    this.#live.note(view, scheduler.monotonicUs())
    // Nodes that start while the cache is lost take their part, too.
    if (this.#mode === 'alone') this.#answerAlone()
    return view
  }

  async #beat(): Promise<void> {
    const view = await this.#view()
    const { epoch } = this.#parts.rounds
    if (epoch === undefined) return
    // Another process is this node, or a call that the node admitted alone has ended after it has joined.
    if (!view || view.epoch.epoch !== epoch || view.epoch.late || view.me.blind) this.leave('other epoch', epoch)
  }

  /** Renews the epoch in the cache, and corrects the line. */
  async #renew(): Promise<void> {
    const { states, rounds, line } = this.#parts
    const { epoch } = rounds
    if (epoch === undefined) return
    const isRenewed = await states.raiseEpoch(epoch, epoch).catch(() => undefined)
    if (isRenewed !== true) this.leave(isRenewed === undefined ? 'unavailable' : 'other epoch', epoch)
    else if (!(await line.correct(this.#live.othersStepsUs))) this.leave('unavailable', epoch)
  }

  #repeat(ms: number, work: () => Promise<void>): void {
    this.#parts.scheduler.after(ms, () => {
      if (this.#isStopped) return
      // Without the ledger, decisions continue.
      const working = work()
        .catch(() => {})
        .finally(() => {
          this.#working.delete(working)
          this.#repeat(ms, work)
        })
      this.#working.add(working)
    })
  }
}

const endOfTurn = (scheduler: Scheduler): Promise<void> => new Promise(resolve => scheduler.endOfTurn(resolve))
