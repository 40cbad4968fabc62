import { tokens } from '../../kit/tokens.ts'
import type { Idea } from './ideas.ts'

/** Kinds of places for concepts, if a query names no kind. */
const kindsOfConcepts: Readonly<Record<string, readonly string[]>> = {
  vegan: ['RESTAURANT'],
  vegetarian: ['RESTAURANT'],
  'gluten free': ['RESTAURANT'],
  seafood: ['RESTAURANT'],
  'street food': ['RESTAURANT'],
  cocktails: ['bar', 'nightlife'],
  beer: ['bar', 'brewery'],
  wine: ['bar', 'winery', 'restaurant'],
  coffee: ['cafe', 'bakery'],
  kitchen: ['HOTEL'],
  'hot tub': ['HOTEL'],
  'live music': ['bar', 'nightlife', 'concert_hall'],
}

/** Concepts next to which a word for a cuisine is no food: "japanese garden". */
const noFood = new Set(['garden', 'beach', 'architecture', 'history', 'guided tour', 'shopping', 'spa', 'pool', 'gym'])

/** Returns the kinds of places for the wanted ideas of a query. */
export function kindsOfIdeas(ideas: readonly Idea[]): readonly string[] {
  const wanted = ideas.filter(({ isUnwanted }) => !isUnwanted)
  const isFood = !wanted.some(({ concept }) => noFood.has(concept ?? ''))
  const kindsOf = ({ concept, isDish }: Idea) =>
    isDish ? (isFood ? ['RESTAURANT'] : []) : (kindsOfConcepts[concept ?? ''] ?? [])
  return [...new Set(wanted.flatMap(kindsOf))]
}

/** Words that ask for hotels, not for any place to stay. */
const hotelWords = new Set(
  'hotel hotels hoteles hôtel hôtels albergo alberghi hotéis hotele hotell otel oteller отель отели гостиница гостиницы 酒店 旅館 ホテル 호텔'
    .split(' ')
    .map(word => tokens(word).join(' ')),
)

/** Category ids of hotels, without rented flats. */
export const hotelKinds: readonly string[] = ['hotel', 'resort', 'inn', 'motel', 'ryokan', 'aparthotel']

/** Returns the categories of a phrase: "hotel" means hotels, "accommodation" any place to stay. */
export const kindsOfPhrase = (phrase: string, categories: readonly string[]): readonly string[] =>
  hotelWords.has(phrase) ? hotelKinds : categories
