import type { Review } from '../../domain/review.ts'
import { fold } from '../../kit/fold.ts'
import { sentencesOf } from '../text/sentences.ts'
import type { IdeaMatcher, Polarity } from './idea-matcher.ts'
import { bounds, similar } from './recommendation-weights.ts'

/** Sentence of a review that mentions an idea of the query, or a word of its trip type. */
export interface RelevantSentence {
  readonly review: Review
  readonly text: string
  readonly language: string | undefined
  /** Position to each idea. */
  readonly polarities: readonly Polarity[]
  readonly mentionsTrip: boolean
  /** Similarity to the query by vectors; 0 without vectors, for complaints, and below `similar.least`. */
  readonly similarity: number
  /** In characters. */
  readonly length: number
}

/** Sentences of the reviews of a place. */
export interface PlaceSentences {
  readonly relevant: readonly RelevantSentence[]
  /** Number of all sentences, and of their characters. */
  readonly count: number
  readonly characters: number
}

/** Inputs of the search in sentences. */
export interface SentenceQuery {
  readonly ideas: readonly IdeaMatcher[]
  /** Returns true if a folded sentence mentions a word of the requested trip type. */
  readonly mentionsTrip: (folded: string) => boolean
  /** Returns the similarity of the sentences of a review to the query; undefined without vectors. */
  readonly similarityIn?: ((review: Review) => (sentence: string) => number) | undefined
}

/**
 * Finds the sentences of reviews that speak of the query. What a review rated below `bounds.minRating` mentions does not
 * speak for the place: only its complaints count.
 */
export function sentencesAbout(
  reviews: readonly Review[],
  { ideas, mentionsTrip, similarityIn }: SentenceQuery,
): PlaceSentences {
  const relevant: RelevantSentence[] = []
  let [count, characters] = [0, 0]
  for (const review of reviews) {
    const similarityOf = similarityIn?.(review)
    const isComplaint = review.rating !== undefined && review.rating < bounds.minRating
    for (const { value, language } of [...(review.text ?? []), ...(review.title ?? [])]) {
      for (const text of sentencesOf(value)) {
        const folded = fold(text)
        count++
        characters += text.length
        const polarities = ideas.map((idea): Polarity => {
          const polarity = idea.polarityIn(folded)
          return isComplaint && polarity === 1 ? 0 : polarity
        })
        const isTrip = !isComplaint && mentionsTrip(folded)
        const found = isComplaint ? 0 : (similarityOf?.(text) ?? 0)
        const similarity = found >= similar.least ? found : 0
        if (isTrip || similarity > 0 || polarities.some(polarity => polarity !== 0))
          relevant.push({ review, text, language, polarities, mentionsTrip: isTrip, similarity, length: text.length })
      }
    }
  }
  return { relevant, count, characters }
}
