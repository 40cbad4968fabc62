import type { Id } from '../../domain/id.ts'
import { buildSegment } from './build.ts'
import type { SearchDocument } from './document.ts'
import type { IndexView } from './index-view.ts'
import type { SegmentData } from './segment.ts'

/** Changes of the store up to and including `revision`, a change-log sequence number. */
export interface Changes {
  readonly revision: number
  /** Current state of locations that were added or changed. */
  readonly upserts: readonly SearchDocument[]
  /** Ids of locations that were removed, or merged into another. */
  readonly deletes: readonly Id[]
}

/**
 * Changes since the main segment, the latest for each location. Changed locations are documents of the overlay segment;
 * changed and removed ones are dead in the main segment.
 */
export class Overlay {
  readonly #documents = new Map<Id, { readonly document?: SearchDocument; readonly revision: number }>()
  revision = 0

  /** Adds changes; a later change of a location replaces the earlier one. */
  apply({ revision, upserts, deletes }: Changes): void {
    for (const document of upserts) this.#documents.set(document.id, { document, revision })
    for (const id of deletes) this.#documents.set(id, { revision })
    this.revision = Math.max(this.revision, revision)
  }

  /** Removes changes up to a revision, which a new main segment already includes. */
  dropUpTo(revision: number): void {
    for (const [id, change] of this.#documents) if (change.revision <= revision) this.#documents.delete(id)
    this.revision = Math.max(this.revision, revision)
  }

  /** Ids of changed and removed locations. */
  get ids(): Iterable<Id> {
    return this.#documents.keys()
  }

  /** Number of changed and removed locations. */
  get size(): number {
    return this.#documents.size
  }

  /** Documents of changed locations. */
  get documents(): SearchDocument[] {
    return [...this.#documents.values()].flatMap(({ document }) => (document === undefined ? [] : [document]))
  }
}

/**
 * Builds the overlay segment. Its term weights come from the lexicon of the index, so that scores of both are
 * comparable.
 */
export function buildOverlay(
  documents: readonly SearchDocument[],
  { lexicon, parts, mains }: IndexView,
  revision: number,
  nowMs: number,
): Promise<SegmentData> {
  const { terms, arrays } = lexicon
  const weightOf = (text: string) => {
    const term = terms.find(text)
    return term < 0 ? 255 : arrays.weight[term]!
  }
  const after = parts.slice(0, mains).map(({ segment }) => segment)
  return buildSegment(documents, { revision, nowMs, weightOf, after })
}

/** Number of changes up to which the main segment is never rebuilt. */
const minChanges = 5000

/** Decides whether to rebuild the main segment: after more than 5,000 changes and more than 2 % of its documents. */
export const wantsRebuild = (changes: number, documents: number): boolean =>
  changes > Math.max(minChanges, documents * 0.02)
