import {
  type MemorySessions,
  type SessionMark,
  type SessionPrice,
  type SessionUse,
  sessionBounds,
  type TypedUse,
} from '../domain/autocomplete-session.ts'
import type { Id } from '../domain/id.ts'
import { allocateTable, SharedTable, type SharedTableMemory } from '../kit/shared-table.ts'

/** Columns of a session. */
const openedColumn = 0
const lastColumn = 1
const callsColumn = 2
/** Hashes of first letters; 0: not used. Further letters are new each time. */
const lettersColumn = 3
const maxLetters = 24
/** A Bloom filter of the suggested places: a place that was not suggested is one of them in few cases. */
const offeredColumn = lettersColumn + maxLetters
const offeredWords = 16
const columns = offeredColumn + offeredWords

const stripes = 256
/** Slots for all open sessions; one slot of each stripe is never used. */
const slotsPerStripe = Math.ceil(sessionBounds.open / stripes) + 1

/** Returns memory for the sessions of all keys. Memory is used as sessions are. */
export const allocateSessions = (size = { stripes, slotsPerStripe }): SharedTableMemory =>
  allocateTable({ ...size, columns })

const paid: SessionPrice = { units: 0, undo: () => {} }

/**
 * The open sessions of search-as-you-type, in memory that threads share. A session is open while it has calls,
 * until it is too old or has ended.
 */
export class OpenSessions implements MemorySessions {
  readonly #createTable: () => SharedTable
  #created: SharedTable | undefined
  #nowMs = 0

  /** `memory`: shared by threads; by default of this one. `thread`: number of the calling thread, from 1. */
  constructor(memory?: SharedTableMemory, thread = 1) {
    this.#createTable = () => new SharedTable(memory ?? allocateSessions(), thread, slot => !this.#isOpen(slot))
  }

  /** Created with the first session: many services have none. */
  get #table(): SharedTable {
    this.#created ??= this.#createTable()
    return this.#created
  }

  use(use: SessionUse, nowMs: number): SessionPrice | undefined {
    return this.#table.exclusively(use.session, () => {
      this.#nowMs = nowMs
      if (use.kind === 'chosen') return this.#choose(use.session, use.id)
      const slot = this.#openSlot(use.session)
      const continues = slot !== undefined && this.#get(slot, callsColumn) < sessionBounds.calls
      return continues ? this.#continue(slot, use) : this.#open(use)
    })
  }

  /**
   * Repeats a use of the previous process. Any place counts as suggested afterwards, because the journal has no
   * suggestions.
   */
  replay(mark: SessionMark, atMs: number): void {
    const { session } = mark
    if (mark.kind === 'typed') this.use({ ...mark, offered: [] }, atMs)
    this.#table.exclusively(session, () => {
      const slot = this.#table.find(session)
      if (slot < 0 || slot === this.#table.findShared(session)) return
      if (mark.kind === 'chosen') this.#set(slot, callsColumn, 0)
      else for (let word = 0; word < offeredWords; word++) this.#set(slot, offeredColumn + word, allBits)
    })
  }

  #open({ session, letters, offered }: TypedUse): SessionPrice | undefined {
    const slot = this.#take(session)
    if (slot === undefined) return undefined
    const openedMs = this.#nowMs
    this.#set(slot, openedColumn, openedMs)
    this.#set(slot, lastColumn, openedMs)
    this.#set(slot, callsColumn, 1)
    this.#set(slot, lettersColumn, letters)
    this.#addOffered(slot, offered)
    return { units: 1, undo: () => this.#ifSame(session, openedMs, of => this.#set(of, callsColumn, 0)) }
  }

  #continue(slot: number, { session, letters, offered }: TypedUse): SessionPrice {
    this.#set(slot, callsColumn, this.#get(slot, callsColumn) + 1)
    this.#set(slot, lastColumn, this.#nowMs)
    this.#addOffered(slot, offered)
    if (letters === 0 || this.#findLetters(slot, letters) !== undefined) return paid
    const at = this.#findLetters(slot, 0)
    if (at === undefined) return { units: 1, undo: () => {} }
    this.#set(slot, at, letters)
    // A session that began with one letter has paid for the first two.
    if (at === lettersColumn) return paid
    const openedMs = this.#get(slot, openedColumn)
    const forget = (of: number) => {
      if (this.#get(of, at) === letters) this.#set(of, at, 0)
    }
    return { units: 1, undo: () => this.#ifSame(session, openedMs, forget) }
  }

  /** Returns the column with a hash of first letters, or with 0 the first column that is not used. */
  #findLetters(slot: number, letters: number): number | undefined {
    for (let at = lettersColumn; at < offeredColumn; at++) if (this.#get(slot, at) === letters) return at
    return undefined
  }

  /** Ends the session, which pays for the place, if the place was suggested in it. */
  #choose(session: string, id: Id): SessionPrice {
    const slot = this.#openSlot(session)
    if (slot === undefined || !bitsOf(id).every(([word, bit]) => (this.#get(slot, offeredColumn + word) & bit) !== 0))
      return { units: 1, undo: () => {} }
    const calls = this.#get(slot, callsColumn)
    const openedMs = this.#get(slot, openedColumn)
    this.#set(slot, callsColumn, 0)
    return { units: 0, undo: () => this.#ifSame(session, openedMs, of => this.#set(of, callsColumn, calls)) }
  }

  /** Calls `change` if the slot of a session still has the one that was opened at a time. */
  #ifSame(session: string, openedMs: number, change: (slot: number) => void): void {
    this.#table.exclusively(session, () => {
      const slot = this.#table.find(session)
      if (slot >= 0 && this.#get(slot, openedColumn) === openedMs) change(slot)
    })
  }

  /** Returns the slot of an open session: its last place may be read after any number of calls. */
  #openSlot(session: string): number | undefined {
    const slot = this.#table.find(session)
    const isOpen = slot >= 0 && slot !== this.#table.findShared(session) && this.#isOpen(slot)
    return isOpen ? slot : undefined
  }

  /** Takes an empty slot for a session; undefined if all are in use. */
  #take(session: string): number | undefined {
    const slot = this.#table.findOrAdd(session)
    if (slot === this.#table.findShared(session)) return undefined
    const at = this.#table.valueAt(slot)
    this.#table.values.fill(0, at, at + columns)
    return slot
  }

  /** Returns true for a session whose place may still be read: its number of calls does not matter. */
  #isOpen(slot: number): boolean {
    const { pauseMs, lengthMs } = sessionBounds
    return (
      this.#get(slot, callsColumn) > 0 &&
      this.#nowMs - this.#get(slot, lastColumn) <= pauseMs &&
      this.#nowMs - this.#get(slot, openedColumn) <= lengthMs
    )
  }

  #addOffered(slot: number, offered: readonly Id[]): void {
    for (const id of offered) {
      for (const [word, bit] of bitsOf(id)) {
        const at = offeredColumn + word
        this.#set(slot, at, (this.#get(slot, at) | bit) >>> 0)
      }
    }
  }

  #get(slot: number, column: number): number {
    return this.#table.values[this.#table.valueAt(slot) + column]!
  }

  #set(slot: number, column: number, value: number): void {
    this.#table.values[this.#table.valueAt(slot) + column] = value
  }
}

const allBits = 0xffff_ffff

/** Returns the bits of a place in the filter. */
function bitsOf(id: Id): readonly (readonly [word: number, bit: number])[] {
  const low = Number(BigInt.asUintN(32, id))
  const high = Number(BigInt.asUintN(32, id >> 32n))
  return [0x9e3779b1, 0x85ebca6b].map(factor => {
    const mixed = Math.imul(low ^ Math.imul(high, 0xc2b2ae35), factor)
    const position = (mixed ^ (mixed >>> 15)) >>> 0
    return [position % offeredWords, 1 << ((position >>> 8) % 32)] as const
  })
}
