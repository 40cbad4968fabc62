import { largest } from './world-rows.ts'

const in_ = (city: string, country: string, lat: number, lon: number) => ({ city, country, lat, lon, source: 'atlas' })
const madrid = (north: number, east: number) => in_('Madrid', 'ES', 40.4168 + north, -3.7038 + east)

const days = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY']
const wholeWeek = days.map(day => ({ day_of_week: day, opens: '00:00', closes: '24:00' }))

/**
 * Places for search and nearby. Around Madrid's centre: 1 a museum with names in other scripts · 2 a temporarily closed
 * hotel · 3 a CLOSED restaurant, the best rated of all · 4 a bar that never closes · 5 a place with unknown hours.
 * Elsewhere: 10 a namesake in Bogotá · 11 and 12 cities · 13 a taverna of another source · 14 an airport with codes ·
 * 15 and 16 on both sides of the antimeridian · 17 at the pole, with the largest id · 21 to 65 inns for paging.
 */
export const searchRows = [
  {
    ...madrid(-0.003, 0.0113),
    id: 1,
    source_id: 'prado',
    name: 'Museo Nacional del Prado',
    names: { es: 'Museo Nacional del Prado', en: 'Prado Museum', ja: 'プラド美術館', 'zh-CN': '普拉多博物馆' },
    category: 'museum',
    region: 'Comunidad de Madrid',
    postal_code: '28014',
    address: 'Paseo de las Pinturas, 23',
    rating: 4.7,
    review_count: 9000,
    status: 'OPEN',
  },
  {
    ...madrid(0.001, 0.001),
    id: 2,
    source_id: 'hotel',
    name: 'Hotel Prado',
    category: 'hotel',
    postal_code: '28010',
    rating: 4.1,
    review_count: 100,
    price: '€€€€',
    status: 'TEMPORARILY_CLOSED',
  },
  {
    ...madrid(0.002, 0),
    id: 3,
    source_id: 'viejo',
    name: 'Prado Viejo',
    category: 'restaurant',
    rating: 4.9,
    review_count: 5000,
    price: '€€',
    status: 'CLOSED',
  },
  {
    ...madrid(0, 0.002),
    id: 4,
    source_id: 'siempre',
    name: 'Bar Siempre',
    category: 'bar',
    rating: 3,
    review_count: 5,
    price: '€',
    opening_hours: { periods: wholeWeek, timezone: 'Europe/Madrid' },
    cuisine: 'tapas',
    tags: 'late night;terrace',
  },
  {
    ...madrid(-0.001, 0),
    id: 5,
    source_id: 'quizas',
    name: 'Bar Quizás',
    category: 'bar',
    cuisine: 'Tapas',
    rating: 5,
    review_count: 1,
  },
  { ...in_('Bogotá', 'CO', 4.65, -74.06), id: 10, source_id: 'cafe', name: 'Café Prado', category: 'cafe' },
  {
    ...in_('Madrid', 'ES', 40.4168, -3.7038),
    id: 11,
    source_id: 'madrid',
    name: 'Madrid',
    category: 'geo:city',
    population: 3_200_000,
  },
  {
    ...in_('Athens', 'GR', 37.98, 23.73),
    id: 12,
    source_id: 'athens',
    name: 'Athens',
    names: { en: 'Athens', el: 'Αθήνα' },
    category: 'geo:city',
    population: 660_000,
  },
  {
    ...in_('Athens', 'GR', 37.981, 23.731),
    source: 'gazette',
    id: 13,
    source_id: 'zorba',
    name: 'Zorba',
    category: 'restaurant',
  },
  {
    ...in_('New York', 'US', 40.64, -73.78),
    id: 14,
    source_id: 'jfk',
    name: 'John F. Kennedy International Airport',
    category: 'airport',
    iata: 'JFK',
    icao: 'KJFK',
  },
  {
    ...in_('Taveuni', 'FJ', -16.8, 179.95),
    id: 15,
    source_id: 'west',
    name: 'Dateline Lodge',
    category: 'hotel',
    rating: 4,
    review_count: 50,
  },
  {
    ...in_('Taveuni', 'FJ', -16.8, -179.95),
    id: 16,
    source_id: 'east',
    name: 'Yesterday Lodge',
    category: 'hotel',
    rating: 3,
    review_count: 50,
  },
  { ...in_('Pole', 'AQ', -90, 0), id: largest, source_id: 'pole', name: 'Pole Hut', category: 'campground' },
  ...Array.from({ length: 45 }, (_, i) => ({
    ...in_('Graz', 'AT', 47.07 + i / 1000, 15.44),
    id: 21 + i,
    source_id: `inn-${i}`,
    name: `Paging Inn ${i + 1}`,
    category: 'hotel',
  })),
]
