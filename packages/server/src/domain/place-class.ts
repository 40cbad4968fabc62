/** Classes of places. Places of different classes are never one: a county is not its city. */
export const placeClasses = [
  'settlement',
  'county',
  'region',
  'country',
  'quarter',
  'airport',
  'station',
  'stay',
  'food',
  'sight',
  'other',
] as const
export type PlaceClass = (typeof placeClasses)[number]
