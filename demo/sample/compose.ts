import { aspectList, type SightKind } from './kinds.ts'
import type { Aspect, Mood, Phrases } from './phrases.ts'
import type { Review } from './place.ts'
import { between, pick, pickSome, type Random } from './random.ts'

type TripType = Review['trip_type']

/** The subject of one sentence: praise or criticism of one aspect of a visit. */
export interface Point {
  readonly aspect: Aspect
  readonly side: 'good' | 'bad'
}

/** Minimum and maximum number of points of praise and of criticism, by rating. */
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

/** Chooses the points of a review: distinct aspects of the kind of sight, preferably one that suits the trip type. */
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

/** Composes the text of a review, which ends with a note that it is generated. */
export function composeText(random: Random, phrases: Phrases, rating: number, trip: TripType, points: Point[]): string {
  const mood = moodOf(rating)
  const sentences = [
    random() < 0.8 ? pick(random, phrases.openers[mood]) : '',
    trip !== 'NONE' && random() < 0.6 ? pick(random, phrases.trips[trip]) : '',
    ...points.map(({ aspect, side }) => pick(random, phrases.aspects[aspect][side])),
    random() < 0.6 ? pick(random, phrases.closers[mood]) : '',
    phrases.note,
  ]
  return fill(random, sentences.filter(Boolean).join(phrases.gap))
}

export const composeTitle = (random: Random, phrases: Phrases, rating: number): string =>
  pick(random, phrases.titles[moodOf(rating)])

/** Composes the owner's reply, which ends with a note that it is generated. */
export const composeReply = (random: Random, phrases: Phrases, rating: number): string =>
  `${pick(random, phrases.replies[rating >= 4 ? 'good' : 'bad'])}${phrases.gap}${phrases.replyNote}`

/** Fills the slots for numbers; the caller fills {place}. */
function fill(random: Random, text: string): string {
  return text
    .replaceAll('{few}', () => String(between(random, 5, 15)))
    .replaceAll('{many}', () => String(between(random, 6, 20) * 5))
    .replaceAll('{hours}', () => String(between(random, 2, 4)))
    .replaceAll('{age}', () => String(between(random, 5, 12)))
}
