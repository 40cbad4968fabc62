import type { CacheGroup } from '../cache-group.ts'
import type { ClusterNode } from '../node.ts'
import type { OpeningNotes } from '../openings.ts'
import type { StoreGroup } from '../store-group.ts'
import type { Traffic } from '../traffic.ts'

/** The things that can fail. While one fails, it does not fail again. */
export type Part = 'node' | 'cache' | 'store' | 'link' | 'clock' | 'disk'

/** A kind of fault. */
export interface FaultKind {
  readonly name: string
  readonly parts: readonly Part[]
  /** Its frequency among all; 0 if only `--faults` names it. */
  readonly weight: number
  /** Starts the fault; returns what ends it. */
  readonly start: () => Promise<() => Promise<void> | void>
}

/** The parts of a cluster that faults change, and their notes for the checks. */
export interface FaultContext {
  readonly nodes: readonly ClusterNode[]
  readonly cache: CacheGroup
  readonly store: StoreGroup
  readonly traffic: Traffic
  readonly openings: OpeningNotes
  readonly notes: FaultNotes
  /** Returns a random whole number below `n`. */
  readonly below: (n: number) => number
  readonly print: (text: string) => void
  /** Called when the states of limits are lost, before the cache is back. */
  readonly onCacheLost: () => Promise<void>
}

/** Counts of what faults have done. */
export interface FaultNotes {
  /** Processes that were killed. */
  kills: number
  /** Epochs that the cache has lost; number of times that it became another one, and that it lost epoch and states. */
  readonly lostEpochs: number[]
  lives: number
  flushes: number
  /** Number of times that the ledger lost commits. */
  setbacks: number
  /** Sentences about faults that had a wrong effect. */
  readonly violations: string[]
}

export const anyNode = ({ nodes, below }: FaultContext): ClusterNode => nodes[below(nodes.length)]!

/** Notes the epoch that the cache is about to lose. A cache that does not answer has none to lose. */
export async function noteLoss({ cache, notes }: FaultContext, kind: 'lives' | 'flushes'): Promise<void> {
  notes[kind]++
  const epoch = await cache.ask('GET', 'p:epoch').catch(() => undefined)
  if (typeof epoch === 'string') notes.lostEpochs.push(Number(epoch))
}
