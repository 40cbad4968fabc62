import type { CommittedFold, FoldedState, UsageCursor } from '../../../domain/ledger.ts'
import { mergePenalties, mergeWindows } from '../../../domain/limit-merge.ts'
import type { ClusterNode, ClusterView, LimitEpoch, NextEpoch, NodeReport } from '../../../domain/membership.ts'
import type { UsageRecord } from '../../../domain/usage.ts'
import { Sums } from '../../../usage/sums.ts'

/** Parts of the protocol that a simulation leaves out, to prove that it finds what they prevent. */
export type LeftOut = 'late' | 'blind' | 'seeds' | 'barrier'

/** Membership and ledger of all nodes, in memory; each method is one transaction. */
export class MemoryCluster {
  readonly nodes = new Map<
    string,
    { mode: ClusterNode['mode']; epoch: number; blind: boolean; beat: number; stepUs: number }
  >()
  readonly positions = new Map<string, number>()
  readonly states = new Map<string, FoldedState>()
  readonly folded: UsageRecord[] = []
  epoch: LimitEpoch = { epoch: 0, identity: '', state: 'opening', late: false }
  readonly #leftOut: LeftOut | undefined
  readonly #replaced = new Set<string>()
  readonly #onOpen: (epoch: number) => void

  constructor(onOpen: (epoch: number) => void = () => {}, leftOut?: LeftOut) {
    this.#onOpen = onOpen
    this.#leftOut = leftOut
  }

  /** Number of records that a node has folded. */
  positionOf = (node: string): number => this.positions.get(node) ?? 0

  beat(node: string, { mode, stepUs }: NodeReport): ClusterView {
    const row = this.nodes.get(node) ?? { mode, epoch: 0, blind: false, beat: 0, stepUs }
    this.nodes.set(node, row)
    row.mode = mode
    row.stepUs = stepUs
    row.beat++
    const rows = [...this.nodes].map(([name, of]) => ({ node: name, ...of }))
    const others = this.#leftOut === 'barrier' ? [] : rows.filter(of => of.node !== node)
    return { epoch: this.epoch, oldest: Number.MAX_SAFE_INTEGER, me: rows.find(of => of.node === node)!, others }
  }

  openEpoch(seen: LimitEpoch, { identity, atLeast }: NextEpoch): 'opening' | 'changed' | 'old identity' {
    if (!isSame(this.epoch, seen)) return 'changed'
    if (this.#replaced.has(identity)) return 'old identity'
    if (identity !== seen.identity) this.#replaced.add(seen.identity)
    this.epoch = { epoch: Math.max(seen.epoch + 1, atLeast), identity, state: 'opening', late: false }
    return 'opening'
  }

  enter(node: string, seen: LimitEpoch, position: number): boolean {
    if (!isSame(this.epoch, seen) || this.positionOf(node) !== position) return false
    const row = this.nodes.get(node)!
    row.epoch = seen.epoch
    row.blind = false
    return true
  }

  finishOpening(epoch: number): void {
    if (this.epoch.epoch !== epoch || this.epoch.state !== 'opening') return
    this.epoch = { ...this.epoch, state: 'open' }
    this.#onOpen(epoch)
  }

  markLate(epoch: number): void {
    if (this.epoch.epoch === epoch && this.#leftOut !== 'late') this.epoch = { ...this.epoch, late: true }
  }

  seeds(subjects: readonly string[]): Map<string, FoldedState[]> {
    if (this.#leftOut === 'seeds') return new Map()
    const states = [...this.states.values()].filter(({ subject }) => subjects.includes(subject))
    return Map.groupBy(states, ({ subject }) => subject)
  }

  fold(node: string, from: number, records: readonly UsageRecord[]): CommittedFold | 'stale' {
    if (this.positionOf(node) !== from) return 'stale'
    const sums = new Sums()
    sums.add(records.map(toCall))
    const { states, epochs = new Map() } = sums.fold()
    for (const state of states) this.#addState(state)
    this.positions.set(node, from + records.length)
    this.folded.push(...records)
    if (epochs.has(0) && this.#leftOut !== 'blind') this.nodes.get(node)!.blind = true
    const others = [...epochs].filter(([epoch]) => epoch !== 0 && epoch !== this.epoch.epoch)
    const late = this.epoch.state === 'open' ? others.reduce((sum, [, calls]) => sum + calls, 0) : 0
    if (late > 0) this.markLate(this.epoch.epoch)
    return { late }
  }

  #addState(added: FoldedState): void {
    const id = `${added.subject} ${added.bucket}`
    const known = this.states.get(id)
    this.states.set(id, known ? mergeStates(known, added) : added)
  }
}

/** Merges two states as the ledger does. */
export function mergeStates(a: FoldedState, b: FoldedState): FoldedState {
  const { windowStartMs, used, carried } = mergeWindows({ carried: 0, ...a }, { carried: 0, ...b })
  return {
    ...a,
    windowStartMs,
    used,
    carried,
    tatUs: Math.max(a.tatUs, b.tatUs),
    penalty: mergePenalties(a.penalty, b.penalty),
    lastUs: Math.max(a.lastUs ?? 0, b.lastUs ?? 0),
  }
}

const isSame = (a: LimitEpoch, b: LimitEpoch): boolean =>
  a.epoch === b.epoch && a.state === b.state && a.late === b.late

const toCall = (record: UsageRecord) => ({
  terms: record,
  source: undefined,
  at: 0,
  idLow: 0,
  idHigh: 0,
  timeMs: record.timeMs,
  durationUs: record.durationUs,
  tatUs: record.marks[0]?.tatUs ?? 0,
})

export const toCursor = (position: number): UsageCursor => String(position) as UsageCursor
