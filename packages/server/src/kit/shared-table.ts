import { createHash } from 'node:crypto'
import { lock, unlock, unlockFor } from './shared-lock.ts'

/** Size of a table. Memory is used as slots are. */
export interface SharedTableSize {
  /** Parts of the table, each with a lock of its own; a power of two. */
  readonly stripes: number
  readonly slotsPerStripe: number
  /** Numbers per slot. */
  readonly columns: number
}

/** The memory of a table, to be passed to other threads. */
export interface SharedTableMemory extends SharedTableSize {
  readonly memory: SharedArrayBuffer
}

/** Bytes of a lock: a cache line. */
const lockBytes = 64
/** Bytes of the name of a slot; longer names are replaced by their digest. */
const nameBytes = 64
const nameWords = nameBytes / Int32Array.BYTES_PER_ELEMENT
const nameNumbers = nameBytes / Float64Array.BYTES_PER_ELEMENT
/** Time after which a thread that has a lock has ended, in milliseconds: locks are held for about a microsecond. */
const maxHeldMs = 500
/** Maximum number of names whose place each thread remembers. */
const maxRemembered = 100_000

/** The name of a slot as it is stored, and the slot that had it last. */
interface Place {
  readonly text: string
  readonly name: Int32Array
  readonly stripe: number
  /** The slot within the stripe at which the search for the name begins. */
  readonly first: number
  slot: number
  /** The hold of the stripe's lock during which the slot was found to have the name: it has it until the end. */
  hold: number
}

/** Returns memory for a table. */
export function allocateTable(size: SharedTableSize): SharedTableMemory {
  const slots = size.stripes * size.slotsPerStripe
  const slotBytes = nameBytes + size.columns * Float64Array.BYTES_PER_ELEMENT
  return { ...size, memory: new SharedArrayBuffer(size.stripes * lockBytes + slots * slotBytes) }
}

/**
 * Rows of numbers by name, in memory that threads share. A slot is never emptied: a new name takes an idle one. When
 * all slots of a stripe are in use, further names of the stripe share its last slot.
 */
export class SharedTable {
  /** The numbers of all slots; those of a slot start at `valueAt`. */
  readonly values: Float64Array
  readonly #thread: number
  readonly #size: SharedTableSize
  /** Size of a slot, in numbers. */
  readonly #slotWidth: number
  readonly #locks: Int32Array
  readonly #words: Int32Array
  readonly #isIdle: (slot: number, table: SharedTable) => boolean
  readonly #places = new Map<string, Place>()
  /** The lock that the calling thread has; -1 without one. */
  #held = -1
  /** Counts how often the calling thread has taken or released a lock, or taken a slot. */
  #hold = 0
  /** The place that was looked up last: most steps of a call are about the same name. */
  #latest: Place | undefined

  /** `thread`: number of the calling thread, from 1. `isIdle`: true if a slot equals one that was never used. */
  constructor(shared: SharedTableMemory, thread: number, isIdle: (slot: number, table: SharedTable) => boolean) {
    const { memory, stripes, columns } = shared
    this.#size = shared
    this.#slotWidth = nameNumbers + columns
    this.#thread = thread
    this.#isIdle = isIdle
    this.#locks = new Int32Array(memory, 0, (stripes * lockBytes) / Int32Array.BYTES_PER_ELEMENT)
    this.#words = new Int32Array(memory, stripes * lockBytes)
    this.values = new Float64Array(memory, stripes * lockBytes)
  }

  /**
   * Calls `work` while no other thread uses the stripe of a name. `work` must neither wait nor lock another name; it may
   * lock the same name again.
   */
  exclusively<T>(name: string, work: () => T): T {
    const at = this.#placeOf(name).stripe * (lockBytes / Int32Array.BYTES_PER_ELEMENT)
    if (this.#held === at) return work()
    this.#lock(at)
    this.#held = at
    this.#hold++
    try {
      return work()
    } finally {
      this.#held = -1
      this.#hold++
      unlock(this.#locks, at)
    }
  }

  /** Returns the slot of a name, or -1. Call it within `exclusively`. */
  find(name: string): number {
    const place = this.#placeOf(name)
    if (place.hold === this.#hold) return place.slot
    if (place.slot >= 0 && this.#hasName(place.slot, place.name)) return this.#remember(place, place.slot)
    const { slotsPerStripe } = this.#size
    for (let i = 0; i < slotsPerStripe - 1; i++) {
      const slot = this.#slotAt(place, i)
      if (this.#isUnused(slot)) return -1
      if (this.#hasName(slot, place.name)) return this.#remember(place, slot)
    }
    const shared = this.#sharedSlot(place)
    return this.#isUnused(shared) ? -1 : shared
  }

  /**
   * Returns the slot of a name, or takes one. Its numbers are 0, or with `keepsShared` those of the shared slot if the
   * name was in it. Call it within `exclusively`.
   */
  findOrAdd(name: string, keepsShared = false): number {
    const place = this.#placeOf(name)
    const known = this.find(name)
    if (known >= 0 && known !== this.#sharedSlot(place)) return known
    const { slotsPerStripe } = this.#size
    for (let i = 0; i < slotsPerStripe - 1; i++) {
      const slot = this.#slotAt(place, i)
      if (this.#isUnused(slot) || this.#isIdle(slot, this)) return this.#take(place, slot, keepsShared ? known : -1)
    }
    const shared = this.#sharedSlot(place)
    if (this.#isUnused(shared)) this.#words[this.#wordAt(shared)] = 1
    return shared
  }

  /** Returns the slot that the names of a stripe share when all others are in use. */
  findShared(name: string): number {
    return this.#sharedSlot(this.#placeOf(name))
  }

  /** Returns the index in `values` of the first number of a slot. */
  valueAt(slot: number): number {
    return slot * this.#slotWidth + nameNumbers
  }

  /** Yields all names with their slots, without those that share slots. Another thread may change them meanwhile. */
  *entries(): Generator<[string, number]> {
    const { slotsPerStripe } = this.#size
    for (const slot of this.usedSlots()) {
      if (slot % slotsPerStripe === slotsPerStripe - 1) continue
      const at = this.#wordAt(slot)
      const bytes = Buffer.from(this.#words.slice(at, at + nameWords).buffer)
      yield [bytes.toString('utf8', 1, bytes[0]), slot]
    }
  }

  /** Yields all slots that have been used. */
  *usedSlots(): Generator<number> {
    const { stripes, slotsPerStripe } = this.#size
    for (let slot = 0; slot < stripes * slotsPerStripe; slot++) if (!this.#isUnused(slot)) yield slot
  }

  /** Releases the locks that a thread had when it ended. */
  releaseLocks(endedThread: number): void {
    for (let stripe = 0; stripe < this.#size.stripes; stripe++)
      unlockFor(this.#locks, stripe * (lockBytes / Int32Array.BYTES_PER_ELEMENT), endedThread)
  }

  #lock(at: number): void {
    let holder = lock(this.#locks, at, this.#thread, maxHeldMs)
    while (holder !== 0) {
      unlockFor(this.#locks, at, holder)
      holder = lock(this.#locks, at, this.#thread, maxHeldMs)
    }
  }

  #wordAt(slot: number): number {
    return slot * this.#slotWidth * 2
  }

  #slotAt({ stripe, first }: Place, step: number): number {
    const { slotsPerStripe } = this.#size
    return stripe * slotsPerStripe + ((first + step) % (slotsPerStripe - 1))
  }

  #sharedSlot({ stripe }: Place): number {
    return (stripe + 1) * this.#size.slotsPerStripe - 1
  }

  #isUnused(slot: number): boolean {
    return this.#words[this.#wordAt(slot)] === 0
  }

  #hasName(slot: number, name: Int32Array): boolean {
    const at = this.#wordAt(slot)
    for (let i = 0; i < nameWords; i++) if (this.#words[at + i] !== name[i]) return false
    return true
  }

  /** Takes a slot for a name, with the numbers of another slot, or with 0 if that is -1. */
  #take(place: Place, slot: number, source: number): number {
    // Another name may have had the slot.
    this.#hold++
    this.#words.set(place.name, this.#wordAt(slot))
    const at = this.valueAt(slot)
    const { columns } = this.#size
    if (source < 0) this.values.fill(0, at, at + columns)
    else this.values.copyWithin(at, this.valueAt(source), this.valueAt(source) + columns)
    return this.#remember(place, slot)
  }

  #remember(place: Place, slot: number): number {
    place.slot = slot
    place.hold = this.#hold
    return slot
  }

  #placeOf(name: string): Place {
    if (this.#latest?.text === name) return this.#latest
    const place = this.#places.get(name) ?? this.#createPlace(name)
    this.#latest = place
    return place
  }

  #createPlace(name: string): Place {
    if (this.#places.size === maxRemembered) this.#places.clear()
    const stored = encodeName(name)
    const hash = hashWords(stored)
    const { stripes, slotsPerStripe } = this.#size
    const first = Math.floor(hash / stripes) % (slotsPerStripe - 1)
    const place = { text: name, name: stored, stripe: hash % stripes, first, slot: -1, hold: -1 }
    this.#places.set(name, place)
    return place
  }
}

/** Returns the bytes that a slot stores of a name: the length plus 1, so that no name is 0, then the name. */
function encodeName(name: string): Int32Array {
  const fits = Buffer.byteLength(name) <= nameBytes - 2
  const text = fits ? name : `#${createHash('sha256').update(name).digest('base64')}`
  const bytes = Buffer.alloc(nameBytes)
  bytes[0] = 1 + bytes.write(text, 1)
  return new Int32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + nameBytes))
}

/** Returns the FNV-1a hash of words. */
function hashWords(words: Int32Array): number {
  let hash = 0x811c9dc5
  for (const word of words) {
    for (let shift = 0; shift < 32; shift += 8) hash = Math.imul(hash ^ ((word >>> shift) & 255), 0x01000193)
  }
  return hash >>> 0
}
