import type { PostgresSession } from './pool.ts'

/** The connections of a LookupQueue. `use` may call `work` again with a connection to another server. */
export interface LookupConnections {
  use<T>(work: (session: PostgresSession) => Promise<T>): Promise<T>
}

/** Maximum number of keys in a query. */
const maxKeys = 128

/** A waiting read of one key. */
interface Lookup<K, V> {
  readonly key: K
  readonly found: (value: V | undefined) => void
  readonly failed: (error: unknown) => void
}

/** Reads the values of keys, in their order; undefined for each key without a value. */
export type ReadKeys<K, V> = (session: PostgresSession, keys: readonly K[]) => Promise<readonly (V | undefined)[]>

/**
 * Reads values by key. All reads of one turn of the event loop are one query, which costs PostgreSQL and the driver a
 * third of what single reads cost. At most one part of them waits for a connection; each connection that is free takes
 * a part.
 */
export class LookupQueue<K, V> {
  readonly #pool: LookupConnections
  readonly #read: ReadKeys<K, V>
  #waiting: Lookup<K, V>[] = []
  #isScheduled = false

  constructor(pool: LookupConnections, read: ReadKeys<K, V>) {
    this.#pool = pool
    this.#read = read
  }

  get(key: K): Promise<V | undefined> {
    return new Promise((found, failed) => this.#add({ key, found, failed }))
  }

  getMany(keys: readonly K[]): Promise<(V | undefined)[]> {
    return new Promise((resolve, failed) => {
      const values = new Array<V | undefined>(keys.length)
      let left = keys.length
      if (left === 0) resolve(values)
      for (const [i, key] of keys.entries())
        this.#add({
          key,
          failed,
          found: value => {
            values[i] = value
            if (--left === 0) resolve(values)
          },
        })
    })
  }

  #add(lookup: Lookup<K, V>): void {
    this.#waiting.push(lookup)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => void this.#readNext())
  }

  async #readNext(): Promise<void> {
    let lookups: Lookup<K, V>[] = []
    try {
      await this.#pool.use(async session => {
        if (lookups.length === 0) lookups = this.#take()
        const keys = lookups.map(({ key }) => key)
        const values = await this.#read(session, keys)
        for (const [i, { found }] of lookups.entries()) found(values[i])
      })
    } catch (error) {
      // Without a connection, nothing that waits for one can be read.
      if (lookups.length === 0) lookups = this.#take(this.#waiting.length)
      for (const { failed } of lookups) failed(error)
    }
  }

  /** Removes the oldest lookups, and lets another connection take what remains. */
  #take(count = maxKeys): Lookup<K, V>[] {
    const taken = this.#waiting.splice(0, count)
    this.#isScheduled = false
    if (this.#waiting.length > 0) this.#schedule()
    return taken
  }
}
