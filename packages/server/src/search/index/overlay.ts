import type { Id } from '../../domain/id.ts'
import { buildSegment } from './build.ts'
import type { SearchDocument } from './document.ts'
import type { Segment, SegmentData } from './segment.ts'

/** Changes of the store since the main segment, up to and including `revision` (a change-log sequence number). */
export interface Changes {
  readonly revision: number
  /** Locations as they are now. */
  readonly upserts: readonly SearchDocument[]
  /** Locations that are gone: removed, or merged into another. */
  readonly deletes: readonly Id[]
}

/** The overlay's main rule: a place that changed is in the overlay; one that went, or changed, is dead in the main segment. */
export class Overlay {
  readonly #documents = new Map<Id, { readonly document?: SearchDocument; readonly revision: number }>()
  revision = 0

  apply({ revision, upserts, deletes }: Changes): void {
    for (const document of upserts) this.#documents.set(document.id, { document, revision })
    for (const id of deletes) this.#documents.set(id, { revision })
    this.revision = Math.max(this.revision, revision)
  }

  /** Forgets what a new main segment already holds. */
  forget(revision: number): void {
    for (const [id, change] of this.#documents) if (change.revision <= revision) this.#documents.delete(id)
    this.revision = Math.max(this.revision, revision)
  }

  /** Ids that changed, gone ones included. */
  get ids(): Iterable<Id> {
    return this.#documents.keys()
  }

  get size(): number {
    return this.#documents.size
  }

  get documents(): SearchDocument[] {
    return [...this.#documents.values()].flatMap(({ document }) => (document === undefined ? [] : [document]))
  }
}

/** The overlay as a segment, weighing words as the main segment does, so that scores of both compare. */
export function buildOverlay(
  documents: readonly SearchDocument[],
  main: Segment,
  revision: number,
  nowMs: number,
): Promise<SegmentData> {
  const { terms, arrays } = main
  const weightOf = (text: string) => {
    const term = terms.find(text)
    return term < 0 ? 255 : arrays.weight[term]!
  }
  return buildSegment(documents, { revision, nowMs, weightOf })
}

/** Marks for the documents of the main segment that changed since; undefined for none. */
export function deadDocuments(main: Segment, changed: Iterable<Id>): Uint8Array | undefined {
  let dead: Uint8Array | undefined
  for (const id of changed) {
    const doc = main.find(id)
    if (doc < 0) continue
    dead ??= new Uint8Array(new SharedArrayBuffer(main.count))
    dead[doc] = 1
  }
  return dead
}

/** Changes that are always put up with. */
const leastChanges = 5000

/** Whether so many changes make it worth to build the main segment anew: over 5,000 and 2 % of it. */
export const wantsRebuild = (changes: number, documents: number): boolean =>
  changes > Math.max(leastChanges, documents * 0.02)
