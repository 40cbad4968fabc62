import { aspectList, type SightKind } from './kinds.ts'
import type { Aspect, Mood, PhraseBook } from './phrase-book.ts'
import type { Review } from './place.ts'
import { between, pick, pickSome, type Random } from './random.ts'

type TripType = Review['trip_type']

/** One sentence that praises or finds fault with one aspect of a visit. */
export interface Point {
  readonly aspect: Aspect
  readonly side: 'good' | 'bad'
}

/** How many points of praise and of criticism go with a rating. */
const balance: Readonly<Record<number, readonly [good: readonly [number, number], bad: readonly [number, number]]>> = {
  5: [
    [2, 4],
    [0, 0],
  ],
  4: [
    [2, 3],
    [0, 1],
  ],
  3: [
    [1, 2],
    [1, 2],
  ],
  2: [
    [0, 1],
    [2, 3],
  ],
  1: [
    [0, 0],
    [2, 3],
  ],
}

const favourites: Partial<Record<TripType, Aspect>> = { FAMILY: 'family', COUPLES: 'romantic' }

export const moodOf = (rating: number): Mood => (rating >= 4 ? 'good' : rating === 3 ? 'mixed' : 'bad')

/** What a review talks about: different aspects of its kind of sight, and what its kind of trip cares for. */
export function choosePoints(random: Random, kind: SightKind, rating: number, trip: TripType): Point[] {
  const [[goodLow, goodHigh], [badLow, badHigh]] = balance[rating]!
  const [good, bad] = [between(random, goodLow, goodHigh), between(random, badLow, badHigh)]
  const favourite = favourites[trip]
  const usual = pickSome(random, aspectList(kind), 12).filter(aspect => suits(aspect, trip))
  const wanted = favourite && usual.includes(favourite) && random() < 0.7 ? [favourite, ...usual] : usual
  return [...new Set(wanted)]
    .slice(0, good + bad)
    .map((aspect, i): Point => ({ aspect, side: i < good ? 'good' : 'bad' }))
    .sort((a, b) => (rating < 3 ? compareSide(b, a) : compareSide(a, b)))
}

const suits = (aspect: Aspect, trip: TripType): boolean =>
  aspect === 'family' ? trip === 'FAMILY' : aspect === 'romantic' ? trip === 'COUPLES' || trip === 'NONE' : true

const compareSide = (a: Point, b: Point): number => Number(a.side === 'bad') - Number(b.side === 'bad')

/** The text of a review, which says at its end that it is generated. */
export function composeText(random: Random, book: PhraseBook, rating: number, trip: TripType, points: Point[]): string {
  const mood = moodOf(rating)
  const sentences = [
    random() < 0.8 ? pick(random, book.openers[mood]) : '',
    trip !== 'NONE' && random() < 0.6 ? pick(random, book.trips[trip]) : '',
    ...points.map(({ aspect, side }) => pick(random, book.aspects[aspect][side])),
    random() < 0.6 ? pick(random, book.closers[mood]) : '',
    book.note,
  ]
  return fill(random, sentences.filter(Boolean).join(book.gap))
}

export const composeTitle = (random: Random, book: PhraseBook, rating: number): string =>
  pick(random, book.titles[moodOf(rating)])

/** What the place is made to answer; the note at its end says that it is generated too. */
export const composeReply = (random: Random, book: PhraseBook, rating: number): string =>
  `${pick(random, book.replies[rating >= 4 ? 'good' : 'bad'])}${book.gap}${book.replyNote}`

/** Numbers for the slots. {place} is filled by the caller, who knows it. */
function fill(random: Random, text: string): string {
  return text
    .replaceAll('{few}', () => String(between(random, 5, 15)))
    .replaceAll('{many}', () => String(between(random, 6, 20) * 5))
    .replaceAll('{hours}', () => String(between(random, 2, 4)))
    .replaceAll('{age}', () => String(between(random, 5, 12)))
}
