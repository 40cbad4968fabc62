import type { ChangeLog } from '../domain/data-stores.ts'
import type { Id } from '../domain/id.ts'
import type { Locks } from '../domain/stores.ts'
import { bulkChanges } from '../search/index/bulk-changes.ts'
import { bulkPlaces, placesOf } from '../search/keep/place-changes.ts'

/** Time without changes after which the index is built although an import holds its lock, in milliseconds. */
const quietMs = 60_000

/** Dependencies of the decision. */
export interface IndexNeedParts {
  readonly changes: ChangeLog
  readonly locks: Pick<Locks, 'isHeld'>
  /** Reads a monotonic clock. */
  readonly nowMs: () => number
}

/**
 * Decides when the worker builds the shared index again: a node that starts would rather wait for a new index
 * than follow the changes since this one, and no import adds to them.
 */
export class IndexNeed {
  readonly #parts: IndexNeedParts
  #revision = -1
  /** The changes up to this number are counted. */
  #seen = -1
  #count = 0
  readonly #places = new Set<Id>()
  #changedAtMs = 0

  constructor(parts: IndexNeedParts) {
    this.#parts = parts
  }

  /** Returns true if the index of a revision should be built again. Call it every second. */
  async isOutdated(revision: number): Promise<boolean> {
    if (revision !== this.#revision) this.#startAt(revision)
    if (!this.#isBulk) {
      const changes = await this.#parts.changes.after(this.#seen, bulkChanges)
      // Changes have been pruned.
      if (!changes) return true
      this.#count += changes.length
      for (const id of placesOf(changes)) this.#places.add(id)
      this.#see(changes.at(-1)?.seq ?? this.#seen)
    } else this.#see(await this.#parts.changes.lastSeq())
    return this.#isBulk && !(await this.#isImporting())
  }

  get #isBulk(): boolean {
    return this.#count >= bulkChanges || this.#places.size > bulkPlaces
  }

  #startAt(revision: number): void {
    this.#revision = revision
    this.#seen = revision
    this.#count = 0
    this.#places.clear()
  }

  #see(seq: number): void {
    if (seq !== this.#seen) this.#changedAtMs = this.#parts.nowMs()
    this.#seen = seq
  }

  /** Returns true while an import runs that has changed something within a minute. */
  async #isImporting(): Promise<boolean> {
    return this.#parts.nowMs() - this.#changedAtMs < quietMs && (await this.#parts.locks.isHeld('import'))
  }
}
