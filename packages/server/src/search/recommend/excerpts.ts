import type { Reason } from '../../domain/recommendation.ts'
import type { TripType } from '../../domain/review.ts'
import { tokens } from '../../kit/tokens.ts'
import type { Polarity } from './idea-matcher.ts'
import { bounds } from './recommendation-weights.ts'
import type { RelevantSentence } from './review-sentences.ts'
import { snippetOf } from './snippet.ts'

/** Preferences between sentences. */
export interface ExcerptQuery {
  /** Weight of each idea; 0 if it says nothing. */
  readonly weights: readonly number[]
  readonly tripType?: TripType
  /** Languages of sentences, in order of preference. */
  readonly languages: readonly string[]
  /** Words to keep when a sentence is cut. */
  readonly highlighted: readonly string[]
}

/** Bonuses of sentences, in addition to the weights of the ideas that they mention. */
const bonuses = { tripType: 2, language: 1.5, tripWord: 0.5 } as const
/** Share of common words from which two sentences say the same. */
const maxCommon = 0.5

/**
 * Chooses the sentences that support a place: each speaks for an idea or of the trip type, none against an idea, they
 * are of different reviews, and each says something else.
 */
export function excerptsOf(sentences: readonly RelevantSentence[], query: ExcerptQuery): Reason[] {
  const supporting = sentences
    .filter(sentence => isSupporting(sentence, query))
    .map(sentence => ({ sentence, value: worthOf(sentence, query) }))
    .sort((a, b) => b.value - a.value || newerFirst(a.sentence, b.sentence))
  const chosen: { readonly sentence: RelevantSentence; readonly words: ReadonlySet<string> }[] = []
  for (const { sentence } of supporting) {
    if (chosen.length === bounds.reasons) break
    const words = new Set(tokens(sentence.text))
    const isNew = chosen.every(
      other => other.sentence.review.id !== sentence.review.id && !saysTheSame(other.words, words),
    )
    if (isNew) chosen.push({ sentence, words })
  }
  return chosen.map(({ sentence: { review, text } }) => ({
    reviewId: review.id,
    snippet: snippetOf(text, query.highlighted, bounds.snippetLength),
  }))
}

/** Returns true if a sentence is for an idea that says something, or of the trip type, and against none. */
function isSupporting({ polarities, mentionsTrip, similarity }: RelevantSentence, { weights }: ExcerptQuery): boolean {
  const says = (polarity: Polarity) => polarities.some((one, i) => one === polarity && weights[i]! > 0)
  return !says(-1) && (mentionsTrip || similarity > 0 || says(1))
}

function worthOf(sentence: RelevantSentence, { weights, tripType, languages }: ExcerptQuery): number {
  const { polarities, mentionsTrip, similarity, review, language } = sentence
  let value = similarity + weights.reduce((sum, weight, i) => sum + (polarities[i] === 1 ? weight : 0), 0)
  if (mentionsTrip) value += bonuses.tripWord
  if (tripType !== undefined && review.tripType === tripType) value += bonuses.tripType
  if (languages.some(one => primaryLanguage(one) === primaryLanguage(language))) value += bonuses.language
  return value
}

/** Returns true if most words of the shorter sentence are also in the other one. */
function saysTheSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const common = [...a].filter(word => b.has(word)).length
  const shorter = Math.min(a.size, b.size)
  return shorter > 2 && common / shorter > maxCommon
}

/** Returns the primary subtag of a language tag: "en" of "en-GB". */
const primaryLanguage = (language: string | undefined): string => language?.split('-')[0] ?? ''

const newerFirst = (a: RelevantSentence, b: RelevantSentence): number =>
  (b.review.publishedMs ?? 0) - (a.review.publishedMs ?? 0) || (a.review.id < b.review.id ? -1 : 1)
