import type { FoldedState } from '../../domain/ledger.ts'
import type { Decision, DecisionRequest } from './decision.ts'
import { parseText, type StateText } from './state-text.ts'

/** The result of a request that nothing decided: no call may be recorded or billed for it. */
export interface VoidDecision {
  readonly kind: 'void'
  /**
   * `unavailable`: the cache does not answer or the node has left its epoch. `busy`: other nodes changed the state for
   * too long. `store`: the ledger cannot be read.
   */
  readonly reason: 'unavailable' | 'busy' | 'store'
}

/** A request that waits for its decision. */
export interface WaitingRequest {
  readonly request: DecisionRequest
  readonly queuedUs: number
  readonly resolve: (result: Decision | VoidDecision) => void
  /** The decision that counts once the swap is made. */
  decision: Decision | undefined
}

/** The knowledge of a node about a subject. */
export interface Entry {
  readonly subject: string
  /** The text that was last seen; null if the subject has no text, undefined if it is not known. */
  text: string | null | undefined
  /** A text of this subject with its states; `readText` compares it with the one that was last seen. */
  parsed: StateText | undefined
  /** The states of the ledger, as read in the epoch `seedEpoch`; 0 if they have not been read. */
  seed: readonly FoldedState[]
  seedEpoch: number
  queue: WaitingRequest[]
  /** Calls at work that have not spent their token yet. */
  working: number
  /** True while a round runs; a subject has one at a time. */
  running: boolean
  /** Epoch and time of the last swap here. */
  swappedEpoch: number
  swappedUs: number
  /** Time at which another node was faster. */
  beatenUs: number
}

/** Maximum number of subjects that a node remembers. */
const maxEntries = 100_000
/** Number of old entries that are inspected when a new one replaces one of them. */
const inspected = 8

/** The entries of a node, the oldest first. */
export class Entries {
  readonly #entries = new Map<string, Entry>()

  get size(): number {
    return this.#entries.size
  }

  /** Returns the entry of a subject; adds it if it is new. */
  of(subject: string): Entry {
    let entry = this.#entries.get(subject)
    if (entry) return entry
    if (this.#entries.size >= maxEntries) this.#removeIdle()
    entry = {
      subject,
      text: undefined,
      parsed: undefined,
      seed: [],
      seedEpoch: 0,
      queue: [],
      working: 0,
      running: false,
      swappedEpoch: 0,
      swappedUs: 0,
      beatenUs: Number.NEGATIVE_INFINITY,
    }
    this.#entries.set(subject, entry)
    return entry
  }

  /** Returns the last known text of a subject. */
  textOf(subject: string): string | undefined {
    return this.#entries.get(subject)?.text ?? undefined
  }

  /** Forgets all texts, because they may be of another epoch. */
  forgetTexts(): void {
    for (const [subject, entry] of this.#entries) {
      if (isIdle(entry)) this.#entries.delete(subject)
      else {
        entry.text = undefined
        entry.seedEpoch = 0
      }
    }
  }

  /** Removes an entry that is not in use, if one of the oldest is not. Those in use become the newest. */
  #removeIdle(): void {
    for (const [subject, entry] of [...this.#entries.entries().take(inspected)]) {
      this.#entries.delete(subject)
      if (isIdle(entry)) return
      this.#entries.set(subject, entry)
    }
  }
}

/** Returns the states of the last known text; undefined without one, or if it is of another form. */
export function readText(entry: Entry): StateText | undefined {
  const { text } = entry
  if (text === undefined || text === null) return undefined
  if (entry.parsed?.text !== text) entry.parsed = parseText(text)
  return entry.parsed
}

const isIdle = ({ working, running, queue }: Entry): boolean => working === 0 && !running && queue.length === 0
