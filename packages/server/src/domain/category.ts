/** The top level of the category tree (rulings: Operations). */
export const topLevelCategories = ['HOTEL', 'RESTAURANT', 'ATTRACTION', 'GEO', 'TRANSPORT', 'OTHER'] as const
export type TopLevelCategory = (typeof topLevelCategories)[number]

/** Names of the top-level categories in `hierarchy`. */
export const topLevelNames: Readonly<Record<TopLevelCategory, string>> = {
  HOTEL: 'Hotels',
  RESTAURANT: 'Restaurants',
  ATTRACTION: 'Attractions',
  GEO: 'Geographic places',
  TRANSPORT: 'Transport',
  OTHER: 'Other',
}

const tree: Readonly<Record<Exclude<TopLevelCategory, 'GEO' | 'OTHER'>, string>> = {
  HOTEL:
    'hotel hostel motel guesthouse bed_and_breakfast lodging inn resort apartment vacation_rental aparthotel chalet ' +
    'campground camp_site ryokan pension villa serviced_apartment holiday_home cottage',
  RESTAURANT:
    'restaurant cafe bar bakery fast_food pub bistro brasserie food_court ice_cream coffee_shop tea_house diner ' +
    'brewery winery deli steakhouse pizzeria food_stall hawker_centre dessert_shop cocktail_bar wine_bar beer_garden',
  ATTRACTION:
    'attraction museum monument theatre theater park gallery art_gallery castle palace zoo aquarium theme_park garden ' +
    'botanical_garden viewpoint beach world_heritage artwork place_of_worship church temple mosque cathedral ' +
    'golf_course ski_area cinema spa casino nightlife nightclub marina tour_operator natural_feature memorial ruins ' +
    'archaeological_site stadium historic_site landmark marketplace tower square bridge waterfall national_park ' +
    'amusement_park water_park library concert_hall opera_house observatory lighthouse fountain',
  TRANSPORT:
    'airport railway_station train_station bus_station ferry_terminal metro_station subway_station tram_stop port ' +
    'taxi_stand transit_station heliport harbour',
}

const topLevelOf = new Map<string, TopLevelCategory>(
  Object.entries(tree).flatMap(([top, words]) => words.split(' ').map(word => [word, top as TopLevelCategory])),
)

/** Returns all known category ids below the top level. */
export const knownCategories = (): IterableIterator<string> => topLevelOf.keys()

/** Converts a name to a category id, lower case with underscores: `Bed and breakfast` gives `bed_and_breakfast`. */
export const toCategoryId = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')

/** Returns the top-level category of a category id; undefined for an unknown one (served as OTHER and reported). */
export function findTopLevelCategory(id: string): TopLevelCategory | undefined {
  if (id === 'geo' || id.startsWith('geo:')) return 'GEO'
  if (id === 'other') return 'OTHER'
  return topLevelOf.get(id) ?? topLevelCategories.find(top => top.toLowerCase() === id)
}

/** Returns the display name of a category id: `geo:city` gives `City`. */
export function categoryDisplayName(id: string): string {
  const words = id.replace(/^geo:/, '').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
