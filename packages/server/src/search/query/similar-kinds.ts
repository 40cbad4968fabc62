import { findParentCategory, findTopLevelCategory, withDescendants } from '../../domain/category.ts'

/** Category ids of similar kinds; others of a group follow if a place has too few of one. */
const similar = [
  'bar pub cocktail_bar wine_bar beer_garden brewery nightlife nightclub',
  'cafe coffee_shop tea_house bakery dessert_shop ice_cream',
  'restaurant bistro brasserie diner steakhouse pizzeria deli',
  'fast_food food_court food_stall hawker_centre',
  'guesthouse bed_and_breakfast pension inn lodging',
  'apartment vacation_rental aparthotel serviced_apartment holiday_home villa cottage chalet',
  'campground camp_site',
  'hotel resort inn motel aparthotel ryokan',
  'museum gallery art_gallery',
  'castle palace ruins archaeological_site historic_site monument memorial',
  'church cathedral temple mosque place_of_worship',
  'park garden botanical_garden national_park',
  'theatre theater concert_hall opera_house cinema',
  'zoo aquarium',
  'theme_park amusement_park water_park',
  'beach natural_feature viewpoint marina',
  'railway_station train_station metro_station subway_station',
].map(list => list.split(' '))

const isTopLevel = (id: string): boolean => findTopLevelCategory(id.toLowerCase()) === id

/**
 * Returns the categories to look for, by step: those asked for, then similar ones, then all of their top level, then
 * any (an empty list). Each step contains those before it. Without categories there is one step.
 */
export function wideningSteps(categories: readonly string[]): readonly (readonly string[])[] {
  if (categories.length === 0) return [[]]
  const asked = new Set(categories.flatMap(id => (isTopLevel(id) ? [id] : withDescendants(id))))
  const parents = categories.flatMap(id => findParentCategory(id) ?? []).filter(id => !isTopLevel(id))
  const like = new Set([
    ...asked,
    ...similar.filter(group => group.some(id => asked.has(id))).flat(),
    ...parents.flatMap(withDescendants),
  ])
  const tops = categories.flatMap(id => findTopLevelCategory(id.toLowerCase()) ?? [])
  const top = new Set([...like, ...tops])
  const steps = [asked, like, top].filter((step, i, all) => i === 0 || step.size > all[i - 1]!.size)
  return [...steps.map(step => [...step]), []]
}
