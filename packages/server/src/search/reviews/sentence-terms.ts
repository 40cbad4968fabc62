import type { Review } from '../../domain/review.ts'
import { maxTokens, tokens } from '../../kit/tokens.ts'
import { sentencesOf } from '../text/sentences.ts'

/** Maximum number of sentences of a review that are indexed. */
const maxSentences = 100
/** Words that are split at once: fewer than the tokens that `tokens` returns at most. */
const wordsAtOnce = maxTokens / 2

/** Returns the sentences of a review, in all its languages, up to `most`. */
export const sentencesOfReview = ({ text = [], title = [] }: Review, most: number): string[] =>
  [...text, ...title].flatMap(({ value }) => sentencesOf(value)).slice(0, most)

/** Returns the distinct terms of each sentence of a review. */
export const sentenceTermsOf = (review: Review): ReadonlySet<string>[] =>
  sentencesOfReview(review, maxSentences).map(termsOfSentence)

function termsOfSentence(sentence: string): ReadonlySet<string> {
  const words = sentence.split(' ')
  const found = new Set<string>()
  for (let at = 0; at < words.length; at += wordsAtOnce) {
    for (const term of tokens(words.slice(at, at + wordsAtOnce).join(' '))) found.add(term)
  }
  return found
}
