import { findTopLevelCategory } from '../../../packages/server/src/domain/category.ts'

/** A kind of place as people ask for it. */
export interface Kind {
  /** Words in the plural by language. */
  readonly words: Readonly<Record<string, string>>
  readonly fits: (category: string) => boolean
}

const oneOf = (list: string) => {
  const ids = new Set(list.split(' '))
  return (category: string) => ids.has(category)
}
/** Places of the top level for restaurants where people drink or buy food, but do not order a meal. */
const noMeals = oneOf('bar pub brewery winery bakery ice_cream wine_bar cocktail_bar beer_garden coffee_shop tea_house')

/** Kinds with their words in six languages. */
export const kinds: Readonly<Record<string, Kind>> = {
  hotel: {
    words: { en: 'hotels', de: 'Hotels', fr: 'hôtels', es: 'hoteles', it: 'alberghi', pt: 'hotéis' },
    fits: category => findTopLevelCategory(category) === 'HOTEL',
  },
  restaurant: {
    words: {
      en: 'restaurants',
      de: 'Restaurants',
      fr: 'restaurants',
      es: 'restaurantes',
      it: 'ristoranti',
      pt: 'restaurantes',
    },
    fits: category => findTopLevelCategory(category) === 'RESTAURANT' && !noMeals(category),
  },
  museum: {
    words: { en: 'museums', de: 'Museen', fr: 'musées', es: 'museos', it: 'musei', pt: 'museus' },
    fits: oneOf('museum gallery art_gallery'),
  },
  sight: {
    words: {
      en: 'things to do',
      de: 'Sehenswürdigkeiten',
      fr: 'que faire',
      es: 'qué ver',
      it: 'cosa vedere',
      pt: 'o que fazer',
    },
    fits: category => findTopLevelCategory(category) === 'ATTRACTION',
  },
  bar: {
    words: { en: 'bars', de: 'Bars', fr: 'bars', es: 'bares', it: 'bar', pt: 'bares' },
    fits: oneOf('bar pub brewery wine_bar cocktail_bar beer_garden'),
  },
  cafe: {
    words: { en: 'cafes', de: 'Cafés', fr: 'cafés', es: 'cafeterías', it: 'caffè', pt: 'cafés' },
    fits: oneOf('cafe coffee_shop tea_house'),
  },
  bakery: {
    words: { en: 'bakeries', de: 'Bäckereien', fr: 'boulangeries', es: 'panaderías', it: 'panifici', pt: 'padarias' },
    fits: oneOf('bakery'),
  },
  hostel: {
    words: {
      en: 'hostels',
      de: 'Jugendherbergen',
      fr: 'auberges de jeunesse',
      es: 'albergues',
      it: 'ostelli',
      pt: 'hostels',
    },
    fits: oneOf('hostel'),
  },
  campground: {
    words: {
      en: 'campsites',
      de: 'Campingplätze',
      fr: 'campings',
      es: 'campings',
      it: 'campeggi',
      pt: 'parques de campismo',
    },
    fits: oneOf('campground camp_site'),
  },
  theatre: {
    words: { en: 'theatres', de: 'Theater', fr: 'théâtres', es: 'teatros', it: 'teatri', pt: 'teatros' },
    fits: oneOf('theatre theater opera_house concert_hall'),
  },
  golf: {
    words: {
      en: 'golf courses',
      de: 'Golfplätze',
      fr: 'terrains de golf',
      es: 'campos de golf',
      it: 'campi da golf',
      pt: 'campos de golfe',
    },
    fits: oneOf('golf_course'),
  },
  park: {
    words: { en: 'parks', de: 'Parks', fr: 'parcs', es: 'parques', it: 'parchi', pt: 'parques' },
    fits: oneOf('park garden botanical_garden national_park'),
  },
}

/** Phrases by language: `%k` is the kind, `%p` the place. */
export const inPlace: Readonly<Record<string, readonly string[]>> = {
  en: ['%k in %p', '%k %p', '%p %k', '%k in %p'],
  de: ['%k in %p', '%k %p', '%p %k'],
  fr: ['%k à %p', '%k %p'],
  es: ['%k en %p', '%k %p'],
  it: ['%k a %p', '%k %p'],
  pt: ['%k em %p', '%k %p'],
}
export const nearPlace: Readonly<Record<string, readonly string[]>> = {
  en: ['%k near %p', '%k near the %p', '%k close to %p', '%k around %p', '%k by %p'],
  de: ['%k nahe %p', '%k in der Nähe von %p', '%k beim %p'],
  fr: ['%k près de %p', '%k à côté de %p'],
  es: ['%k cerca de %p', '%k junto a %p'],
  it: ['%k vicino a %p'],
  pt: ['%k perto de %p'],
}
/** The same with words that rank or ask, and say nothing about the kind or the place. */
export const withWants: Readonly<Record<string, readonly string[]>> = {
  en: [
    'cheap %k in %p',
    'best %k in %p',
    'luxury %k %p',
    'top 10 %k in %p',
    'show me %k in %p',
    'where can I find good %k in %p',
    'family friendly %k in %p',
    'nice %k in %p please',
    'i am looking for %k in %p',
    '%k in %p open now',
    'popular %k %p',
  ],
  de: ['günstige %k in %p', 'die besten %k in %p', 'schöne %k in %p', 'wo finde ich %k in %p', '%k in %p mit Kindern'],
  fr: ['%k pas chers à %p', 'les meilleurs %k à %p', 'je cherche des %k à %p', 'bons %k à %p'],
  es: ['%k baratos en %p', 'los mejores %k en %p', 'busco %k en %p', 'buenos %k en %p'],
  it: ['%k economici a %p', 'i migliori %k a %p', 'cerco %k a %p'],
  pt: ['%k baratos em %p', 'os melhores %k em %p', 'procuro %k em %p'],
}
