import { choosePoints, composeReply, composeText, composeTitle, type Point } from './compose.ts'
import { famous, flagshipKey } from './famous.ts'
import { type SightKind, sightKind } from './kinds.ts'
import { visitorLanguage } from './languages.ts'
import type { Aspect } from './phrase-book.ts'
import { phraseBooks } from './phrases/all.ts'
import { type Place, placeKey, type Review } from './place.ts'
import { between, hash32, pickSome, pickWeighted, type Random, randomFrom } from './random.ts'

/** How many sights have reviews. */
const reviewedPlaces = 1250
const travellers = 5000
const dayMs = 86_400_000
const firstMs = Date.UTC(2019, 0, 8)
const lastMs = Date.UTC(2026, 9, 28)

const trips: readonly (readonly [Review['trip_type'], number])[] = [
  ['COUPLES', 32],
  ['FAMILY', 26],
  ['FRIENDS', 16],
  ['SOLO', 14],
  ['BUSINESS', 4],
  ['NONE', 8],
]

const subratingTypes = ['value', 'service', 'atmosphere', 'location', 'accessibility', 'cleanliness'] as const
type SubratingType = (typeof subratingTypes)[number]

/** The subrating that a sentence about an aspect agrees with. */
const ratedBy: Partial<Record<Aspect, SubratingType>> = {
  price: 'value',
  guide: 'service',
  queue: 'service',
  staff: 'service',
  atmosphere: 'atmosphere',
  location: 'location',
  access: 'accessibility',
  clean: 'cleanliness',
}

/** All reviews of the sample, by place in the order given. The same places and seed give the same reviews. */
export function generateReviews(places: readonly Place[], seed: number): Review[] {
  const reviews: Review[] = []
  for (const [place, kind] of chooseSights(places, seed)) {
    for (const review of reviewsOf(place, kind, seed)) {
      reviews.push({ ...review, source_id: String(reviews.length + 1) })
    }
  }
  return reviews
}

/** The famous sights and a seeded choice of the others. */
function chooseSights(places: readonly Place[], seed: number): [Place, SightKind][] {
  const sights = places.flatMap((place): [Place, SightKind][] => {
    const kind = sightKind(place)
    return kind === undefined ? [] : [[place, kind]]
  })
  const draw = ([place]: [Place, SightKind]) => (isFamous(place) ? -1 : hash32(`${seed} reviewed ${placeKey(place)}`))
  const chosen = new Set([...sights].sort((a, b) => draw(a) - draw(b)).slice(0, reviewedPlaces))
  return sights.filter(sight => chosen.has(sight))
}

const famousRank = new Map([flagshipKey, ...famous.map(([key]) => key)].map((key, rank) => [key, rank]))
const isFamous = (place: Place): boolean => famousRank.has(placeKey(place))

/** 640 for the flagship, a hundred or more for the famous, a handful to a few dozen for the rest. */
function reviewCount(random: Random, place: Place): number {
  const rank = famousRank.get(placeKey(place))
  if (rank === 0) return 640
  if (rank !== undefined) return Math.round(150 - 2 * rank + 40 * random())
  return 2 + Math.floor(-5 * Math.log(1 - random()))
}

function reviewsOf(place: Place, kind: SightKind, seed: number): Review[] {
  const random = randomFrom(`${seed} ${placeKey(place)}`)
  const charm = random() * 1.4 - 0.5
  const users = pickSome(random, travellerNumbers, reviewCount(random, place))
  const seen = new Set<string>()
  const reviews = users.map(user => {
    let review = oneReview(random, place, kind, charm, user)
    while (seen.has(review.text)) review = oneReview(random, place, kind, charm, user)
    seen.add(review.text)
    return review
  })
  return reviews.sort((a, b) => (a.published_date < b.published_date ? -1 : 1))
}

const travellerNumbers = Array.from({ length: travellers }, (_, i) => i + 1)

function oneReview(random: Random, place: Place, kind: SightKind, charm: number, user: number): Review {
  const language = visitorLanguage(random, place.country)
  const book = phraseBooks[language]
  const rating = drawRating(random, charm)
  const trip = pickWeighted(random, trips)
  const points = choosePoints(random, kind, rating, trip)
  const publishedMs = firstMs + random() * (lastMs - firstMs)
  const subratings = drawSubratings(random, rating, points)
  const reply = ownerResponse(random, composeReply(random, book, rating), rating, publishedMs)
  return {
    source: 'periplus_sample',
    source_id: '',
    place_source: place.source,
    place_source_id: place.source_id,
    rating,
    title: named(composeTitle(random, book, rating), place),
    text: named(composeText(random, book, rating, trip, points), place),
    lang: language,
    published_date: random() < 0.5 ? dayOf(publishedMs) : `${new Date(publishedMs).toISOString().slice(0, 19)}Z`,
    travel_date: dayOf(publishedMs - between(random, 1, 40) * dayMs),
    trip_type: trip,
    ...(subratings && { subratings }),
    ...(reply && { owner_response: reply }),
    user_id: `sample-${fourDigits(user)}`,
    user_name: `Sample traveller ${fourDigits(user)}`,
    license: 'Apache-2.0 (generated for the Periplus sample)',
  }
}

const named = (text: string, place: Place): string => text.replaceAll('{place}', () => place.name)
const fourDigits = (n: number): string => String(n).padStart(4, '0')
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Five stars are commonest everywhere; charm, from -0.5 to 0.9, moves the rest up or down. */
const drawRating = (random: Random, charm: number): number =>
  pickWeighted(random, [
    [5, 44 * (1 + charm)],
    [4, 30],
    [3, 13 * (1.1 - charm)],
    [2, 6 * (1.1 - charm)],
    [1, 5 * (1.1 - charm)],
  ])

/** On three reviews in five: a few types near the rating, in line with what the text says. */
function drawSubratings(random: Random, rating: number, points: readonly Point[]): Record<string, number> | undefined {
  if (random() > 0.6) return undefined
  const chosen = pickSome(random, subratingTypes, between(random, 2, 6))
  return Object.fromEntries(
    subratingTypes.filter(type => chosen.includes(type)).map(type => [type, subrating(random, rating, type, points)]),
  )
}

function subrating(random: Random, rating: number, type: SubratingType, points: readonly Point[]): number {
  const said = points.find(({ aspect }) => ratedBy[aspect] === type)?.side
  const [low, high] = said === 'good' ? [0, 1] : said === 'bad' ? [-2, -1] : [-1, 1]
  const about = rating + between(random, low, high)
  return Math.min(5, Math.max(1, said === 'good' ? Math.max(4, about) : said === 'bad' ? Math.min(3, about) : about))
}

/** An answer on some reviews, more often on unhappy ones; now a text, now with its date and name. */
function ownerResponse(random: Random, text: string, rating: number, publishedMs: number): Review['owner_response'] {
  if (random() > (rating >= 4 ? 0.06 : 0.25)) return undefined
  if (random() < 0.5) return text
  const answeredMs = Math.min(publishedMs + between(random, 1, 9) * dayMs, Date.UTC(2026, 9, 31))
  return { text, published_date: dayOf(answeredMs), username: 'Sample visitor service' }
}
