import { formToWrite } from '../../domain/forms.ts'
import type { FoldedState } from '../../domain/ledger.ts'
import type { SwapReply } from '../../domain/limit-states.ts'
import { getSubject } from '../../domain/limit-subject.ts'
import { Decider, type Decision, type DecisionRequest } from './decision.ts'
import { Entries, type Entry, readText, type VoidDecision, type WaitingRequest } from './entries.ts'
import { InFlight } from './in-flight.ts'
import { createCounters, type LostCause, type RoundCounters, type RoundParts } from './round-parts.ts'
import { requireReadable, type StateText, type TextHead } from './state-text.ts'

/** The swap of the text of a subject, with the requests that it decides. */
interface PendingSwap {
  readonly entry: Entry
  readonly requests: readonly WaitingRequest[]
  readonly next: StateText
}

const secondUs = 1_000_000
/** Maximum wait for other nodes that change the same state, in microseconds. */
const maxWaitUs = 250_000
/** A state that was swapped within this time cannot have expired, in microseconds. */
const keptUs = 24 * 3600 * secondUs
/** Longest pause before the next attempt after two losses within a second, in milliseconds. */
const maxPauseMs = 4

/**
 * Decides calls in the shared states of their subjects. A round of a subject takes all requests that wait, applies them
 * to the last known text and replaces the text by compare-and-swap. The texts of all subjects of a turn are one write.
 */
export class Rounds {
  readonly counters: RoundCounters = createCounters()
  readonly #parts: RoundParts
  readonly #decider: Decider
  readonly #entries = new Entries()
  readonly #inFlight: InFlight
  #epoch: number | undefined
  /** The form in which texts are written. */
  #form = 1
  /** Subjects whose round continues at the end of the turn. */
  #ready: Entry[] = []
  #gets: Entry[] = []
  #seeds: Entry[] = []
  #swaps: PendingSwap[] = []

  constructor(parts: RoundParts) {
    this.#parts = parts
    this.#decider = new Decider(parts.settings)
    this.#inFlight = new InFlight(parts.scheduler)
  }

  /** The epoch that the node decides in; undefined while it is in none. */
  get epoch(): number | undefined {
    return this.#epoch
  }

  /** Starts to decide in an epoch; nothing of earlier ones counts. */
  enter(epoch: number): void {
    this.#entries.forgetTexts()
    this.#epoch = epoch
  }

  /** Stops to decide. Requests whose swap has been sent may still be decided. */
  leave(): void {
    this.#epoch = undefined
  }

  /** Writes texts in the newest form that all releases from a level on read (domain/forms.ts). */
  useFormsOf(oldest: number): void {
    this.#form = formToWrite('limitState', oldest)
  }

  /** Resolves when all swaps that have been sent are decided or void. */
  settled(): Promise<void> {
    return this.#inFlight.settled()
  }

  /** Returns the last known text of a subject. */
  textOf(subject: string): string | undefined {
    return this.#entries.textOf(subject)
  }

  /**
   * Starts work on a call whose token is spent after the work. Returns false if as many calls are at work as may pass;
   * then the token must be spent first. `finish` ends the work.
   */
  startUnpaid(call: Omit<DecisionRequest, 'kind' | 'units'>): boolean {
    const entry = this.#entries.of(getSubject(call.caller))
    if (this.#countRoom(entry, call) <= entry.working) return false
    entry.working++
    return true
  }

  finishUnpaid(caller: DecisionRequest['caller']): void {
    this.#entries.of(getSubject(caller)).working--
  }

  /** Decides a request in the state of its subject. */
  decide(request: DecisionRequest): Promise<Decision | VoidDecision> {
    const entry = this.#entries.of(getSubject(request.caller))
    // Other nodes may have changed the state since; a decision would notice that by its swap.
    if (isReading(request) && !entry.running) entry.text = undefined
    return new Promise(resolve => {
      entry.queue.push({ request, queuedUs: this.#parts.scheduler.monotonicUs(), resolve, decision: undefined })
      this.#start(entry)
    })
  }

  /** Returns the status of a subject as the ledger has it, for a node that is in no epoch. */
  async statusInLedger(request: DecisionRequest): Promise<Decision> {
    const subject = getSubject(request.caller)
    const seeds = await this.#parts.readSeeds([subject])
    const nowUs = this.#decider.loadSeed(subject, seeds.get(subject) ?? [], this.#parts.lineUs())
    return this.#decider.decide(request, nowUs, 0)
  }

  #countRoom(entry: Entry, call: Omit<DecisionRequest, 'kind' | 'units'>): number {
    const known = readText(entry)
    if (known === undefined || known.epoch !== this.#epoch) {
      this.#start(entry)
      return 1
    }
    this.#decider.state.load(entry.subject, known)
    return this.#decider.countRoom(call, Math.max(this.#parts.lineUs(), known.lastUs))
  }

  #start(entry: Entry): void {
    if (entry.running) return
    entry.running = true
    this.#continue(entry)
  }

  /** Continues the round of a subject at the end of the turn. */
  #continue(entry: Entry): void {
    if (this.#ready.push(entry) === 1) this.#parts.scheduler.endOfTurn(() => this.#flush())
  }

  #flush(): void {
    const ready = this.#ready
    this.#ready = []
    for (const entry of ready) this.#advance(entry)
    if (this.#gets.length > 0) this.#sendGets()
    if (this.#seeds.length > 0) this.#sendSeeds()
    if (this.#swaps.length > 0) this.#sendSwaps()
  }

  /** Takes the next step of the round of a subject. */
  #advance(entry: Entry): void {
    const epoch = this.#epoch
    if (epoch === undefined) this.#void(entry, entry.queue.splice(0), 'unavailable')
    else if (entry.text === undefined) this.#gets.push(entry)
    else this.#useText(entry, readText(entry), epoch)
  }

  /** Decides all that wait in the known text, or in the states of the ledger if the text is not of this epoch. */
  #useText(entry: Entry, known: StateText | undefined, epoch: number): void {
    const isSeeded = known?.epoch !== epoch
    if (entry.text && !known && !this.#isReadable(entry, entry.text, epoch)) return
    if (known && known.epoch > epoch) this.#lose(entry, 'other epoch')
    else if (isSeeded && this.#wasSwapped(entry, epoch)) this.#lose(entry, 'missing')
    else if (isSeeded && entry.seedEpoch !== epoch) this.#seeds.push(entry)
    else if (entry.queue.length === 0) this.#finish(entry)
    else if (isSeeded) {
      const lastUs = this.#decider.loadSeed(entry.subject, entry.seed, this.#parts.lineUs())
      this.#decideAll(entry, undefined, { epoch, lastUs })
    } else {
      this.#decider.state.load(entry.subject, known)
      this.#decideAll(entry, known, { epoch, lastUs: Math.max(this.#parts.lineUs(), known.lastUs) })
    }
  }

  /** Returns false, after refusing all that wait, if only a newer release reads the text. */
  #isReadable(entry: Entry, text: string, epoch: number): boolean {
    try {
      requireReadable(entry.subject, text, epoch)
      return true
    } catch (error) {
      this.#parts.onUnreadable(error)
      entry.text = undefined
      this.#void(entry, entry.queue.splice(0), 'unavailable')
      return false
    }
  }

  /** Decides all that wait in the loaded state. `known`: the text of the state; undefined if it is a seed. */
  #decideAll(entry: Entry, known: StateText | undefined, now: TextHead): void {
    const requests = entry.queue.splice(0)
    for (const waiting of requests) waiting.decision = this.#decider.decide(waiting.request, now.lastUs, now.epoch)
    const next = this.#decider.state.encode(now, this.#form)
    if (next.body === known?.body && next.form === known.form) {
      this.counters.withoutSwap += requests.length
      this.#answer(requests)
      this.#finish(entry)
    } else this.#swaps.push({ entry, requests, next })
  }

  #wasSwapped({ swappedEpoch, swappedUs }: Entry, epoch: number): boolean {
    return swappedEpoch === epoch && this.#parts.scheduler.monotonicUs() - swappedUs < keptUs
  }

  #sendGets(): void {
    const entries = this.#gets
    this.#gets = []
    this.counters.gets += entries.length
    const epoch = this.#epoch!
    this.#inFlight.send(this.#parts.states.get(entries.map(({ subject }) => subject)), texts => {
      if (!texts) this.#parts.onLost('unavailable', epoch)
      for (const [i, entry] of entries.entries()) {
        if (texts) {
          entry.text = texts[i] ?? null
          this.#continue(entry)
        } else this.#void(entry, entry.queue.splice(0), 'unavailable')
      }
    })
  }

  #sendSeeds(): void {
    const entries = this.#seeds
    this.#seeds = []
    this.counters.seeds += entries.length
    const epoch = this.#epoch!
    const conclude = (found: ReadonlyMap<string, readonly FoldedState[]> | undefined): void => {
      for (const entry of entries) {
        if (found) {
          entry.seed = found.get(entry.subject) ?? []
          entry.seedEpoch = epoch
          this.#continue(entry)
        } else this.#void(entry, entry.queue.splice(0), 'store')
      }
    }
    this.#parts.readSeeds(entries.map(({ subject }) => subject)).then(conclude, () => conclude(undefined))
  }

  #sendSwaps(): void {
    const sent = this.#swaps
    this.#swaps = []
    this.counters.swaps += sent.length
    const epoch = this.#epoch!
    const swaps = sent.map(({ entry, next }) => ({
      subject: entry.subject,
      expected: entry.text ?? undefined,
      next: next.text,
    }))
    this.#inFlight.send(this.#parts.states.swap(swaps), reply => this.#conclude(sent, reply, epoch))
  }

  /** Concludes the swaps of a turn. Without a reply, or with another epoch, they are void. */
  #conclude(sent: readonly PendingSwap[], reply: SwapReply | undefined, epoch: number): void {
    const isValid = reply?.epoch === epoch
    if (!isValid) this.#parts.onLost(reply ? 'other epoch' : 'unavailable', epoch)
    const nowUs = this.#parts.scheduler.monotonicUs()
    for (const [i, { entry, requests, next }] of sent.entries()) {
      if (!isValid) {
        entry.text = undefined
        this.#void(entry, requests, 'unavailable')
      } else if (reply.was[i] === (entry.text ?? undefined)) {
        entry.text = next.text
        entry.parsed = next
        entry.swappedEpoch = epoch
        entry.swappedUs = nowUs
        entry.seedEpoch = 0
        this.#answer(requests)
        this.#finish(entry)
      } else this.#tryAgain(entry, requests, reply.was[i] ?? null, nowUs)
    }
  }

  /** Repeats a round that another node was faster in. */
  #tryAgain(entry: Entry, requests: readonly WaitingRequest[], text: string | null, nowUs: number): void {
    this.counters.beaten++
    entry.text = text
    const isLate = ({ queuedUs }: WaitingRequest) => nowUs - queuedUs > maxWaitUs
    for (const waiting of requests.filter(isLate)) this.#resolveVoid(waiting, 'busy')
    entry.queue = [...requests.filter(waiting => !isLate(waiting)), ...entry.queue]
    const isRepeated = nowUs - entry.beatenUs < secondUs
    entry.beatenUs = nowUs
    const { scheduler } = this.#parts
    // A node next to the cache must not starve one that is a millisecond away.
    if (isRepeated) scheduler.after(scheduler.random() * maxPauseMs, () => this.#continue(entry))
    else this.#continue(entry)
  }

  #lose(entry: Entry, cause: LostCause): void {
    this.#parts.onLost(cause, this.#epoch!)
    this.#void(entry, entry.queue.splice(0), 'unavailable')
  }

  #void(entry: Entry, requests: readonly WaitingRequest[], reason: VoidDecision['reason']): void {
    for (const waiting of requests) this.#resolveVoid(waiting, reason)
    this.#finish(entry)
  }

  #resolveVoid({ resolve }: WaitingRequest, reason: VoidDecision['reason']): void {
    this.counters.voided++
    resolve({ kind: 'void', reason })
  }

  #answer(requests: readonly WaitingRequest[]): void {
    this.counters.decided += requests.length
    for (const { resolve, decision } of requests) resolve(decision!)
  }

  #finish(entry: Entry): void {
    entry.running = false
    if (entry.queue.length > 0) this.#start(entry)
  }
}

const isReading = ({ kind }: DecisionRequest): boolean => kind === 'read' || kind === 'status'
