import { choosePoints, composeReply, composeText, composeTitle, type Point } from './compose.ts'
import { famous, flagshipKey } from './famous.ts'
import { type SightKind, sightKind } from './kinds.ts'
import { visitorLanguage } from './languages.ts'
import { phrasesByLanguage } from './phrases/all.ts'
import type { Aspect } from './phrases.ts'
import { type Place, placeKey, type Review } from './place.ts'
import { between, hash32, pickSome, pickWeighted, type Random, randomFrom } from './random.ts'

/** Number of sights that have reviews. */
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

/** The subrating that has to agree with a sentence about an aspect. */
const subratingForAspect: Partial<Record<Aspect, SubratingType>> = {
  price: 'value',
  guide: 'service',
  queue: 'service',
  staff: 'service',
  atmosphere: 'atmosphere',
  location: 'location',
  access: 'accessibility',
  clean: 'cleanliness',
}

/** Generates all reviews of the sample, in the order of the places. The same places and seed give the same reviews. */
export function generateReviews(places: readonly Place[], seed: number): Review[] {
  const reviews: Review[] = []
  for (const [place, kind] of chooseSights(places, seed)) {
    for (const review of reviewsOf(place, kind, seed)) {
      reviews.push({ ...review, source_id: String(reviews.length + 1) })
    }
  }
  return reviews
}

/** Returns the famous sights and a seeded choice of the others. */
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

/** Draws the number of reviews: 640 for the flagship, up to 190 for famous sights, at least 2 for the others. */
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
  const phrases = phrasesByLanguage[language]
  const rating = drawRating(random, charm)
  const trip = pickWeighted(random, trips)
  const points = choosePoints(random, kind, rating, trip)
  const publishedMs = firstMs + random() * (lastMs - firstMs)
  const subratings = drawSubratings(random, rating, points)
  const reply = ownerResponse(random, composeReply(random, phrases, rating), rating, publishedMs)
  return {
    source: 'periplus_sample',
    source_id: '',
    place_source: place.source,
    place_source_id: place.source_id,
    rating,
    title: named(composeTitle(random, phrases, rating), place),
    text: named(composeText(random, phrases, rating, trip, points), place),
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

/** Draws a rating. Five stars are most frequent; charm, from -0.5 to 0.9, shifts the distribution up or down. */
const drawRating = (random: Random, charm: number): number =>
  pickWeighted(random, [
    [5, 44 * (1 + charm)],
    [4, 30],
    [3, 13 * (1.1 - charm)],
    [2, 6 * (1.1 - charm)],
    [1, 5 * (1.1 - charm)],
  ])

/** Draws subratings for 60 % of reviews: some types, close to the rating and consistent with the text. */
function drawSubratings(random: Random, rating: number, points: readonly Point[]): Record<string, number> | undefined {
  if (random() > 0.6) return undefined
  const chosen = pickSome(random, subratingTypes, between(random, 2, 6))
  return Object.fromEntries(
    subratingTypes.filter(type => chosen.includes(type)).map(type => [type, subrating(random, rating, type, points)]),
  )
}

function subrating(random: Random, rating: number, type: SubratingType, points: readonly Point[]): number {
  const side = points.find(({ aspect }) => subratingForAspect[aspect] === type)?.side
  const [low, high] = side === 'good' ? [0, 1] : side === 'bad' ? [-2, -1] : [-1, 1]
  const about = rating + between(random, low, high)
  return Math.min(5, Math.max(1, side === 'good' ? Math.max(4, about) : side === 'bad' ? Math.min(3, about) : about))
}

/** Adds a reply to some reviews, more often to bad ones: either a text, or a text with date and name. */
function ownerResponse(random: Random, text: string, rating: number, publishedMs: number): Review['owner_response'] {
  if (random() > (rating >= 4 ? 0.06 : 0.25)) return undefined
  if (random() < 0.5) return text
  const answeredMs = Math.min(publishedMs + between(random, 1, 9) * dayMs, Date.UTC(2026, 9, 31))
  return { text, published_date: dayOf(answeredMs), username: 'Sample visitor service' }
}
