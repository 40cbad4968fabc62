import {
  categoryDisplayName,
  findTopLevelCategory,
  knownCategories,
  type TopLevelCategory,
  topLevelCategories,
  topLevelNames,
} from './category.ts'
import type { Category } from './location.ts'
import { type TripType, tripTypes } from './review.ts'
import { knownSubratingTypes, subratingName } from './subratings.ts'

/** The enumerations used in records. */
export const enumNames = ['category', 'subrating_type', 'top_level_category', 'trip_type'] as const
export type EnumName = (typeof enumNames)[number]

/** A value of an enumeration and its display name: a record of the feed `enums`. */
export interface EnumValue {
  readonly enum: EnumName
  readonly value: string
  readonly displayName: string
  /** Names from the top level of the category tree downwards; categories only. */
  readonly hierarchy?: readonly string[]
  /** Categories only. */
  readonly topLevelCategory?: TopLevelCategory
}

/** Values that stored records use, including those that Periplus does not define. */
export interface EnumValuesInUse {
  readonly categories: readonly Category[]
  readonly subratingTypes: readonly string[]
}

/** Returns the id of a value among all enumerations, such as `category:hotel`; separators are percent-encoded. */
export const enumValueId = (word: EnumValue): string =>
  `${word.enum}:${word.value.replace(/[\s%\p{Cc}]/gu, encodeURIComponent)}`

const tripTypeNames: Readonly<Record<TripType, string>> = {
  BUSINESS: 'Business',
  COUPLES: 'Couples',
  FAMILY: 'Family',
  FRIENDS: 'Friends',
  SOLO: 'Solo',
  NONE: 'Not said',
}

/** Returns all values, defined or in use, in ascending order of id by code unit. */
export function listEnumValues(inUse: EnumValuesInUse): EnumValue[] {
  const categories = new Map(inUse.categories.map(category => [category.id, categoryValue(category)]))
  for (const id of knownCategories()) categories.set(id, knownCategory(id))
  const subratings = new Set([...knownSubratingTypes, ...inUse.subratingTypes])
  const values: EnumValue[] = [
    ...categories.values(),
    ...[...subratings].map(type => ({
      enum: 'subrating_type' as const,
      value: type,
      displayName: subratingName(type),
    })),
    ...topLevelCategories.map(top => ({
      enum: 'top_level_category' as const,
      value: top,
      displayName: topLevelNames[top],
    })),
    ...tripTypes.map(type => ({ enum: 'trip_type' as const, value: type, displayName: tripTypeNames[type] })),
  ]
  return values.sort((a, b) => (enumValueId(a) < enumValueId(b) ? -1 : 1))
}

const categoryValue = (category: Category): EnumValue => ({
  enum: 'category',
  value: category.id,
  displayName: category.displayName,
  ...(category.hierarchy && { hierarchy: category.hierarchy }),
  topLevelCategory: category.topLevelCategory,
})

function knownCategory(id: string): EnumValue {
  const top = findTopLevelCategory(id)!
  const displayName = categoryDisplayName(id)
  return {
    enum: 'category',
    value: id,
    displayName,
    hierarchy: [topLevelNames[top], displayName],
    topLevelCategory: top,
  }
}
