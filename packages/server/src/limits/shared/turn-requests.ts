import type { SwapReply } from '../../domain/limit-states.ts'
import type { Entry, WaitingRequest } from './entries.ts'
import { InFlight } from './in-flight.ts'
import type { RoundCounters, RoundParts, Seeds } from './round-parts.ts'
import type { StateText } from './state-text.ts'

/** The swap of the text of a subject, with the requests that it decides. */
export interface PendingSwap {
  readonly entry: Entry
  readonly requests: readonly WaitingRequest[]
  readonly next: StateText
}

/** Receivers of the replies, with the epoch in which they were requested; undefined without a reply. */
interface Receivers {
  readonly texts: (entries: readonly Entry[], texts: readonly (string | undefined)[] | undefined, epoch: number) => void
  readonly seeds: (entries: readonly Entry[], found: Seeds | undefined, epoch: number) => void
  readonly swaps: (sent: readonly PendingSwap[], reply: SwapReply | undefined, epoch: number) => void
}

/** Requests of the rounds of a turn to the cache and the ledger: one of each kind for all subjects. */
export class TurnRequests {
  readonly #parts: Pick<RoundParts, 'states' | 'readSeeds'>
  readonly #counters: RoundCounters
  readonly #receivers: Receivers
  readonly #inFlight: InFlight
  #gets: Entry[] = []
  #seeds: Entry[] = []
  #swaps: PendingSwap[] = []

  constructor(parts: RoundParts, counters: RoundCounters, receivers: Receivers) {
    this.#parts = parts
    this.#counters = counters
    this.#receivers = receivers
    this.#inFlight = new InFlight(parts.scheduler)
  }

  /** Adds a subject whose text is read. */
  addGet(entry: Entry): void {
    this.#gets.push(entry)
  }

  /** Adds a subject whose state is read from the ledger. */
  addSeed(entry: Entry): void {
    this.#seeds.push(entry)
  }

  addSwap(swap: PendingSwap): void {
    this.#swaps.push(swap)
  }

  /** Sends what was added since the last call. */
  send(epoch: number): void {
    if (this.#gets.length > 0) this.#sendGets(epoch)
    if (this.#seeds.length > 0) this.#sendSeeds(epoch)
    if (this.#swaps.length > 0) this.#sendSwaps(epoch)
  }

  /** Resolves when all requests to the cache that have been sent have a reply, or are given up. */
  settled(): Promise<void> {
    return this.#inFlight.settled()
  }

  #sendGets(epoch: number): void {
    const entries = this.#gets
    this.#gets = []
    this.#counters.gets += entries.length
    const texts = this.#parts.states.get(entries.map(({ subject }) => subject))
    this.#inFlight.send(texts, found => this.#receivers.texts(entries, found, epoch))
  }

  #sendSeeds(epoch: number): void {
    const entries = this.#seeds
    this.#seeds = []
    this.#counters.seeds += entries.length
    const receive = (found?: Seeds) => this.#receivers.seeds(entries, found, epoch)
    this.#parts.readSeeds(entries.map(({ subject }) => subject)).then(receive, () => receive())
  }

  #sendSwaps(epoch: number): void {
    const sent = this.#swaps
    this.#swaps = []
    this.#counters.swaps += sent.length
    const swaps = sent.map(({ entry, next }) => ({
      subject: entry.subject,
      expected: entry.text ?? undefined,
      next: next.text,
    }))
    this.#inFlight.send(this.#parts.states.swap(swaps), reply => this.#receivers.swaps(sent, reply, epoch))
  }
}
