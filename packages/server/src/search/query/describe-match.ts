import type { MatchKind, SearchHit } from '../../domain/search.ts'
import { textKind } from '../index/texts.ts'
import type { SearchedReading } from './results.ts'
import type { Scorer } from './scorer.ts'
import { certainty, quality } from './weights.ts'

/** Describes how a document of a part, by its index in the view, matches the reading that gave its score. */
export function describeMatch(
  { typed, of }: SearchedReading,
  part: number,
  doc: number,
): NonNullable<SearchHit['match']> {
  const at = of.parts.findIndex(({ number }) => number === part)
  const scorer = of.scorerAt(at, typed)
  scorer.matches(doc)
  // The confidence in part of a query follows from its share.
  const factor = typed.tier === 'partial' ? typed.reading.factor / quality.partial : typed.reading.factor
  const confidence = Math.min(1, Math.max(certainty.min, scorer.confidence * factor))
  return { kind: kindOf(scorer, typed), confidence: Math.round(confidence * 1000) / 1000 }
}

function kindOf(scorer: Scorer, { reading, tier }: SearchedReading['typed']): MatchKind {
  const { kind, words } = reading
  // The other words of the query matched nothing.
  if (words.length === 0 || kind === 'place' || (kind === 'partial' && tier === 'strict') || scorer.lacksWord)
    return 'partial'
  if (kind === 'address' || kind === 'postal_code' || scorer.kind === textKind.address) return 'address'
  if (scorer.byCategory) return 'category'
  if (scorer.misspelled) return 'typo'
  if (scorer.unfinished) return 'prefix'
  return scorer.kind === textKind.variant ? 'variant' : 'exact'
}
