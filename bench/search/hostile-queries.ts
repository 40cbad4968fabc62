/** Queries that are as expensive as the bounds of parameters permit. */

const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789']
const repeat = (count: number, part: (i: number) => string, between = ' ') =>
  Array.from({ length: count }, (_, i) => part(i)).join(between)
const query = (operation: string, parameters: Readonly<Record<string, string>>) =>
  `${operation}?${new URLSearchParams({ version: '1', ...parameters })}`
const search = (parameters: Readonly<Record<string, string>>) => query('/locations/search', parameters)
const world = { sw_lat: '-90', sw_lon: '-180', ne_lat: '90', ne_lon: '180' }
const nearby = (parameters: Readonly<Record<string, string>>) => query('/locations/nearby', { ...world, ...parameters })
const paris = { lat: '48.85', lon: '2.35' }
const recommend = (parameters: Readonly<Record<string, string>>) => query('/recommendations/search', parameters)
const common =
  'hotel restaurant cafe bar museum park saint the pub castle lounge la de le san st new center street road'
const misspelt = common.replace(/\b(\w\w)\w(\w+)/g, '$1x$2')

/** Each query with its name. */
export const hostileQueries: readonly (readonly [name: string, path: string])[] = [
  ['250 letters', search({ query: repeat(250, i => letters[i % 36]!) })],
  ['250 letters, COMBINED', search({ query: repeat(250, i => letters[i % 36]!), search_type: 'COMBINED' })],
  ['one letter', search({ query: 's' })],
  ['one letter, near', search({ query: 's', ...paris })],
  ['one letter, last page', search({ query: 'a', page: '500', size: '20' })],
  ['one letter, open', search({ query: 's', open_now: 'true' })],
  ['common words', search({ query: common, search_type: 'COMBINED', ...paris })],
  ['misspelt words', search({ query: misspelt })],
  ['long misspelt words', search({ query: repeat(32, i => `restaurant${letters[i]}${letters[(i * 7) % 36]}`) })],
  ['joined words', search({ query: repeat(8, i => 'hotelrestaurantbarmuseumparkcentralcafes'.slice(i)) })],
  ['words of every letter', search({ query: repeat(26, i => `a${letters[i]}`) })],
  ['Chinese', search({ query: '東京大学病院前駅南口広場公園北海道札幌市中央区'.repeat(20).slice(0, 500) })],
  ['ligatures', search({ query: 'ﷺ'.repeat(500) })],
  ['accents', search({ query: repeat(20, () => `a${'\u0301'.repeat(23)}`) })],
  ['countries', search({ query: 'san france germany united states italy' })],
  ['category in country', search({ query: 'hotels in united states' })],
  ['many areas', search({ query: 's', geo_name: repeat(16, i => `${'saint de la san new'.split(' ')[i % 5]}`, ',') })],
  ['catalog', query('/catalog/locations/search', { query: 'restaurant bar', ...paris })],
  ['world by rating', nearby({})],
  ['world, page 1,000', nearby({ page: '1000', size: '20' })],
  ['world, page 10,000', nearby({ page: '10000', size: '20' })],
  ['world, page 25,000', nearby({ page: '25000', size: '20' })],
  ['world, open', nearby({ open_now: 'true' })],
  ['world, rated 5', nearby({ min_rating: '5' })],
  ['world, hotels', nearby({ category: 'HOTEL' })],
  ['100 km by distance', query('/locations/nearby', { ...paris, radius: '100', unit: 'KM', sort: 'distance,asc' })],
  ['recommended in a country', recommend({ query: 'romantic dinner in united states with a view' })],
  ['recommended near', recommend({ query: 'nice hotel with pool', ...paris, radius: '100', unit: 'KM' })],
  ['recommended, many names', recommend({ query: repeat(8, () => 'in the san de park hotel') })],
]
