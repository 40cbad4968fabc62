import type { ClusterNode } from '../../domain/membership.ts'

/** A node without a sign of life for this time is silent, in microseconds. */
const silentUs = 3_000_000
/** A node without a sign of life for this time takes no part of the limits that nodes divide, in microseconds. */
const forgottenUs = 60_000_000

/** Decides which nodes live, by the monotonic clock of the node that watches them. */
export class LiveNodes {
  readonly #beats = new Map<string, { readonly beat: number; readonly sinceUs: number }>()

  /** Notes the signs of life of a view. */
  note(nodes: readonly ClusterNode[], nowUs: number): void {
    for (const { node, beat } of nodes) {
      if (this.#beats.get(node)?.beat !== beat) this.#beats.set(node, { beat, sinceUs: nowUs })
    }
  }

  /** Returns true if others must wait for the node. */
  isLive(node: ClusterNode, nowUs: number): boolean {
    return this.#isSeen(node, nowUs, silentUs)
  }

  /** Returns true if the node may answer calls, even if nobody sees it. */
  isKnown(node: ClusterNode, nowUs: number): boolean {
    return this.#isSeen(node, nowUs, forgottenUs)
  }

  #isSeen({ node, mode }: ClusterNode, nowUs: number, withinUs: number): boolean {
    const noted = this.#beats.get(node)
    return mode !== 'left' && (noted === undefined || nowUs - noted.sinceUs < withinUs)
  }
}
