import type { TopLevelCategory } from '../../domain/category.ts'
import type { PriceLevel } from '../../domain/location.ts'

/** Words of Terra for top-level categories; it has none for places of other kinds. */
export const topLevelWords: Readonly<Partial<Record<TopLevelCategory, string>>> = {
  HOTEL: 'Accommodation',
  RESTAURANT: 'Eat & Drink',
  ATTRACTION: 'Attraction',
}

/** Words of Terra for price levels. It has three of them. */
export const priceWords: Readonly<Record<PriceLevel, string>> = {
  CHEAP: 'Cheap Eats',
  MODERATE: 'Mid Range',
  EXPENSIVE: 'Mid Range',
  LUXURY: 'Fine Dining',
}

/** Codes of Terra for the length of a visit, by texts that records have. */
const visitLengths: Readonly<Record<string, number>> = {
  'under 1 hour': 1,
  'less than 1 hour': 1,
  '<1 hour': 1,
  '1-2 hours': 2,
  '2-3 hours': 3,
  'over 3 hours': 4,
  'more than 3 hours': 4,
  '>3 hours': 4,
}

/** Returns the code of a length of visit; undefined for a text that none of the codes means. */
export function toVisitCode(text: string): number | undefined {
  const plain = text.trim().toLowerCase().replaceAll('–', '-')
  return /^[0-4]$/.test(plain) ? Number(plain) : visitLengths[plain]
}

/** Converts the name of a day: `MONDAY` gives `Monday`. */
export const toDayName = (day: string): string => day.charAt(0) + day.slice(1).toLowerCase()
