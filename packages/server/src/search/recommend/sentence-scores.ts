import { commonShare } from '../reviews/common-share.ts'
import type { WeightedIdea } from './intent-matcher.ts'
import { againstValue, bm25, minRarity, similar } from './recommendation-weights.ts'
import type { PlaceSentences, RelevantSentence } from './review-sentences.ts'

/** Sentences of a place that count in full, for it and against it, and the factor of all others. */
const best = { full: 2, rest: 0.1 } as const
/** Minimum number of sentences among which a word may be common. */
const minSentences = 200

/** Scores the sentences of places, which are the collection that the rarity of ideas is taken from. */
export class SentenceScorer {
  /** Weight of each idea of the query, 0 to 1; 0 for a word that sentences of all kinds have. */
  readonly weights: readonly number[]
  readonly #meanLength: number

  /** Without `weights`, they are determined from the sentences of the places. */
  constructor(places: readonly PlaceSentences[], ideas: readonly WeightedIdea[], weights?: readonly number[]) {
    const count = places.reduce((sum, place) => sum + place.count, 0)
    const characters = places.reduce((sum, place) => sum + place.characters, 0)
    this.#meanLength = count === 0 ? 1 : characters / count
    this.weights = weights ?? ideas.map((idea, i) => weightAmong(places, count, idea, i))
  }

  /** Returns the score of a sentence: positive if it speaks for the place. */
  scoreOf({ polarities, similarity, length }: RelevantSentence): number {
    const saturation = (bm25.k1 + 1) / (1 + bm25.k1 * (1 - bm25.b + (bm25.b * length) / this.#meanLength))
    // Vectors do not know "not".
    const meant = polarities.includes(-1) ? 0 : similar.weight * similarity
    return this.weights.reduce(
      (sum, weight, i) => sum + weight * saturation * (polarities[i] === -1 ? againstValue : polarities[i]!),
      meant,
    )
  }

  /** Returns the score of a place: its two best sentences, the two worst against it, and a tenth of the rest. */
  placeScoreOf({ relevant }: PlaceSentences): number {
    const scores = relevant.map(sentence => this.scoreOf(sentence)).sort((a, b) => b - a)
    const positive = scores.filter(score => score > 0)
    const negative = scores.filter(score => score < 0).reverse()
    return sumOf(positive) + sumOf(negative)
  }
}

/** Sums scores, the strongest first; those behind the first two count a tenth. */
const sumOf = (scores: readonly number[]): number =>
  scores.reduce((sum, score, i) => sum + score * (i < best.full ? 1 : best.rest), 0)

/** Returns the weight of idea `i` among the sentences of places, `count` in all. */
function weightAmong(
  places: readonly PlaceSentences[],
  count: number,
  { weight, concept }: WeightedIdea,
  i: number,
): number {
  const mentions = places.reduce(
    (sum, { relevant }) => sum + relevant.filter(({ polarities }) => polarities[i] !== 0).length,
    0,
  )
  const isCommon = concept === undefined && count >= minSentences && mentions >= commonShare * count
  return isCommon ? 0 : weight * rarityOf(mentions, count)
}

/** Returns the normalized inverse document frequency of an idea, 0 to 1. */
function rarityOf(mentions: number, sentences: number): number {
  if (mentions === 0 || sentences < 2) return 1
  return Math.max(minRarity, 1 - Math.log(mentions) / Math.log(sentences + 1))
}
