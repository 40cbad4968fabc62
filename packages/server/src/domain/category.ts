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

/** Direct children of each category of the tree. Records bring further types of GEO. */
const childrenOf: Readonly<Record<string, string>> = {
  HOTEL: 'hotel hostel guesthouse lodging vacation_rental campground',
  hotel: 'motel inn resort aparthotel ryokan',
  guesthouse: 'bed_and_breakfast pension',
  vacation_rental: 'apartment holiday_home villa chalet cottage',
  apartment: 'serviced_apartment',
  campground: 'camp_site',

  RESTAURANT: 'restaurant cafe bar bakery fast_food food_court deli dessert_shop brewery winery',
  restaurant: 'bistro brasserie diner steakhouse pizzeria',
  cafe: 'coffee_shop tea_house',
  bar: 'pub cocktail_bar wine_bar beer_garden',
  fast_food: 'food_stall',
  food_court: 'hawker_centre',
  dessert_shop: 'ice_cream',

  ATTRACTION:
    'attraction museum gallery artwork theatre cinema concert_hall opera_house library stadium nightlife casino spa ' +
    'historic_site world_heritage landmark place_of_worship park theme_park zoo natural_feature viewpoint ' +
    'golf_course ski_area marina marketplace observatory tour_operator',
  gallery: 'art_gallery',
  theatre: 'theater',
  nightlife: 'nightclub',
  historic_site: 'archaeological_site castle palace ruins monument',
  monument: 'memorial',
  landmark: 'tower square bridge fountain lighthouse',
  place_of_worship: 'church temple mosque',
  church: 'cathedral',
  park: 'garden national_park',
  garden: 'botanical_garden',
  theme_park: 'amusement_park water_park',
  zoo: 'aquarium',
  natural_feature: 'beach waterfall',

  GEO:
    'geo:continent geo:country geo:region geo:state geo:county geo:city geo:town geo:village geo:hamlet geo:locality ' +
    'geo:suburb geo:borough geo:neighbourhood geo:island',

  TRANSPORT: 'airport transit_station ferry_terminal port taxi_stand',
  airport: 'heliport',
  transit_station: 'railway_station bus_station metro_station tram_stop',
  railway_station: 'train_station',
  metro_station: 'subway_station',
  port: 'harbour',
}

const isTopLevel = (id: string): id is TopLevelCategory => (topLevelCategories as readonly string[]).includes(id)

const children = new Map(Object.entries(childrenOf).map(([parent, ids]) => [parent, ids.split(' ')]))

/** Parents of the categories of the tree, in its order. */
const parents = new Map([...children].flatMap(([parent, ids]) => ids.map(id => [id, parent] as const)))

/** Returns all known category ids below the top level. */
export const knownCategories = (): IterableIterator<string> => parents.keys()

/** Returns true for a top-level category, and for a category id of the tree. */
export const isInTree = (id: string): boolean => isTopLevel(id) || parents.has(id)

/** Returns the parent of a category of the tree, a category id or a top-level category; otherwise undefined. */
export const findParentCategory = (id: string): string | undefined => parents.get(id)

/** Returns a category id and those of all categories below it in the tree, each after its parent. */
export const withDescendants = (id: string): readonly string[] => [
  id,
  ...(children.get(id) ?? []).flatMap(withDescendants),
]

/** Returns a category id in the form in which it is compared: a top-level category, or as `toCategoryId` returns it. */
export const normalizeCategoryId = (id: string): string => (isTopLevel(id) ? id : toCategoryId(id))

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
  for (let above = parents.get(id); above !== undefined; above = parents.get(above)) if (isTopLevel(above)) return above
  return topLevelCategories.find(top => top.toLowerCase() === id)
}

/** Returns the display name of a category id: `geo:city` gives `City`. */
export function categoryDisplayName(id: string): string {
  const words = id.replace(/^geo:/, '').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A category in the list of all categories. */
export interface ListedCategory {
  /** Category id, or top-level category. */
  readonly id: string
  readonly displayName: string
  /** Undefined for a top-level category. */
  readonly parentId?: string
  readonly topLevelCategory: TopLevelCategory
  /** Number of places in the category and in those below it. */
  readonly count: number
}
