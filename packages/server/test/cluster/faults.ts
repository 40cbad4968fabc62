import { setTimeout as sleep } from 'node:timers/promises'
import { cacheFaults } from './faults/cache-faults.ts'
import type { FaultContext, FaultKind, Part } from './faults/context.ts'
import { linkFaults } from './faults/link-faults.ts'
import { nodeFaults } from './faults/node-faults.ts'
import { storeFaults } from './faults/store-faults.ts'

export interface FaultOptions {
  /** Longest time of a fault, in milliseconds. */
  readonly maxMs: number
  /** Names of the faults that occur, equally often; undefined for all that occur without being named. */
  readonly names: readonly string[] | undefined
}

/** Random faults of nodes, servers and links. */
export class Faults {
  /** Number of faults by name. */
  readonly counts = new Map<string, number>()
  readonly #context: FaultContext
  readonly #maxMs: number
  readonly #kinds: readonly FaultKind[]
  readonly #failing = new Set<Part>()

  constructor(context: FaultContext, { maxMs, names }: FaultOptions) {
    this.#context = context
    this.#maxMs = maxMs
    const all = [...nodeFaults(context), ...cacheFaults(context), ...storeFaults(context), ...linkFaults(context)]
    const unknown = names?.filter(name => !all.some(kind => kind.name === name)) ?? []
    if (unknown.length > 0)
      throw new Error(`No faults: ${unknown.join(', ')}. There are: ${all.map(({ name }) => name).join(', ')}.`)
    this.#kinds = names
      ? all.filter(({ name }) => names.includes(name))
      : all.flatMap(kind => Array<FaultKind>(kind.weight).fill(kind))
  }

  /** Number of all faults. */
  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Lets one thing fail for some time, unless everything that may fail does so already. */
  async fail(): Promise<void> {
    const { below, print } = this.#context
    const kinds = this.#kinds.filter(({ parts }) => !parts.some(part => this.#failing.has(part)))
    const kind = kinds[below(kinds.length)]
    const durationMs = below(below(10) < 3 ? this.#maxMs : Math.min(1500, this.#maxMs))
    if (!kind) return
    const { name, parts, start } = kind
    for (const part of parts) this.#failing.add(part)
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
    print(`${name} for ${durationMs} ms`)
    const end = await start()
    await sleep(durationMs)
    await end()
    for (const part of parts) this.#failing.delete(part)
    print(`${name} has ended`)
  }
}
