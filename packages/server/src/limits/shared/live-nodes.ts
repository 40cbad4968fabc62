import type { ClusterNode, ClusterView } from '../../domain/membership.ts'

/** A node without a sign of life for this time is silent, in microseconds. */
const silentUs = 3_000_000
/** A node without a sign of life for this time takes no part of the limits that nodes divide, in microseconds. */
const forgottenUs = 60_000_000

/** Decides which nodes live, by the monotonic clock of the node that watches them, and keeps what these report. */
export class LiveNodes {
  readonly #beats = new Map<string, { readonly beat: number; readonly sinceUs: number }>()
  #known = 1
  #areOthersIn = false
  #othersStepsUs: readonly number[] = []
  #differing: readonly ClusterNode[] = []

  /** Number of nodes that may answer calls, this one included. */
  get known(): number {
    return this.#known
  }

  /** True if another live node is in the epoch, as far as this one knows. */
  get areOthersIn(): boolean {
    return this.#areOthersIn
  }

  /** The steps of clocks that the other live nodes have seen. */
  get othersStepsUs(): readonly number[] {
    return this.#othersStepsUs
  }

  /** The other live nodes of this release whose settings differ from those of this one. */
  get differing(): readonly ClusterNode[] {
    return this.#differing
  }

  /** Notes the signs of life of a view, and what the live nodes report. */
  note({ me, others, epoch }: ClusterView, nowUs: number): void {
    for (const { node, beat } of others) {
      if (this.#beats.get(node)?.beat !== beat) this.#beats.set(node, { beat, sinceUs: nowUs })
    }
    const live = others.filter(node => this.isLive(node, nowUs))
    this.#othersStepsUs = live.map(node => node.stepUs)
    this.#differing = live.filter(({ release, config }) => release === me.release && config !== me.config)
    this.#areOthersIn = live.some(node => node.mode === 'in' && node.epoch === epoch.epoch)
    this.#known = 1 + others.filter(node => this.#isSeen(node, nowUs, forgottenUs)).length
  }

  /** Returns true if others must wait for the node. */
  isLive(node: ClusterNode, nowUs: number): boolean {
    return this.#isSeen(node, nowUs, silentUs)
  }

  #isSeen({ node, mode }: ClusterNode, nowUs: number, withinUs: number): boolean {
    const noted = this.#beats.get(node)
    return mode !== 'left' && (noted === undefined || nowUs - noted.sinceUs < withinUs)
  }
}
