import type { Matcher } from './matcher.ts'
import type { FilteredPart, PartResults, Variant } from './part-results.ts'
import type { PlaceDocuments } from './understand/place-documents.ts'

/** Part of a view with a variant of the query, looked up in it. */
export type RankedPart = FilteredPart & {
  readonly documents: PartResults
  readonly matchers: readonly Matcher[]
  readonly variant: Variant
  /** Documents in the place of the reading; undefined if it has no place. */
  readonly within: PlaceDocuments | undefined
}

/** Returns the documents in the place of a reading that has one. */
export const documentsInPlace = ({ within }: RankedPart): Uint32Array => within!.docs

/** Returns true if a document matches a variant; sets the public fields of its scorer. */
export const matchesVariant = (
  { scorer, isWholeName, partial }: Variant,
  doc: number,
  documents: PartResults,
): boolean => scorer.matches(doc) && (!isWholeName || scorer.complete) && (!partial || documents.isAnswer(doc, scorer))
