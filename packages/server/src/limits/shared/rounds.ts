import { formToWrite } from '../../domain/forms.ts'
import type { LimitedBucket } from '../../domain/limit-bucket.ts'
import type { SwapReply } from '../../domain/limit-states.ts'
import { getSubject } from '../../domain/limit-subject.ts'
import { Decider, type Decision, type DecisionRequest } from './decision.ts'
import { Entries, type Entry, readText, type VoidDecision, type WaitingRequest } from './entries.ts'
import { createCounters, type LostCause, type RoundCounters, type RoundParts, type Seeds } from './round-parts.ts'
import { hasBucket, requireReadable, type StateText, type TextHead } from './state-text.ts'
import { type PendingSwap, TurnRequests } from './turn-requests.ts'

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
  readonly #requests: TurnRequests
  #epoch: number | undefined
  /** The form in which texts are written. */
  #form = 1
  /** Subjects whose round continues at the end of the turn. */
  #ready: Entry[] = []

  constructor(parts: RoundParts) {
    this.#parts = parts
    this.#decider = new Decider(parts.settings)
    this.#requests = new TurnRequests(parts, this.counters, {
      texts: (entries, texts, epoch) => this.#takeTexts(entries, texts, epoch),
      seeds: (entries, found, epoch) => this.#takeSeeds(entries, found, epoch),
      swaps: (sent, reply, epoch) => this.#conclude(sent, reply, epoch),
    })
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

  /** Returns true if all releases that use the database know the state of a bucket. */
  keeps(bucket: LimitedBucket): boolean {
    return hasBucket(this.#form, bucket)
  }

  /** Resolves when all swaps that have been sent are decided or void. */
  settled(): Promise<void> {
    return this.#requests.settled()
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
    const epoch = this.#epoch
    for (const entry of ready) this.#advance(entry)
    // A step may have left the epoch; what was decided in it is void if the cache has another one.
    if (epoch !== undefined) this.#requests.send(epoch)
  }

  /** Takes the next step of the round of a subject. */
  #advance(entry: Entry): void {
    const epoch = this.#epoch
    if (epoch === undefined) this.#void(entry, entry.queue.splice(0), 'unavailable')
    else if (entry.text === undefined) this.#requests.addGet(entry)
    else this.#useText(entry, readText(entry), epoch)
  }

  /** Decides all that wait in the known text, or in the states of the ledger if the text is not of this epoch. */
  #useText(entry: Entry, known: StateText | undefined, epoch: number): void {
    const isSeeded = known?.epoch !== epoch
    if (entry.text && !known && !this.#isReadable(entry, entry.text, epoch)) return
    if (known && known.epoch > epoch) this.#lose(entry, 'other epoch')
    else if (isSeeded && this.#wasSwapped(entry, epoch)) this.#lose(entry, 'missing')
    else if (isSeeded && entry.seedEpoch !== epoch) this.#requests.addSeed(entry)
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
    } else this.#requests.addSwap({ entry, requests, next })
  }

  #wasSwapped({ swappedEpoch, swappedUs }: Entry, epoch: number): boolean {
    return swappedEpoch === epoch && this.#parts.scheduler.monotonicUs() - swappedUs < keptUs
  }

  #takeTexts(entries: readonly Entry[], texts: readonly (string | undefined)[] | undefined, epoch: number): void {
    if (!texts) this.#parts.onLost('unavailable', epoch)
    for (const [i, entry] of entries.entries()) {
      if (texts) {
        entry.text = texts[i] ?? null
        this.#continue(entry)
      } else this.#void(entry, entry.queue.splice(0), 'unavailable')
    }
  }

  #takeSeeds(entries: readonly Entry[], found: Seeds | undefined, epoch: number): void {
    for (const entry of entries) {
      if (found) {
        entry.seed = found.get(entry.subject) ?? []
        entry.seedEpoch = epoch
        this.#continue(entry)
      } else this.#void(entry, entry.queue.splice(0), 'store')
    }
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
