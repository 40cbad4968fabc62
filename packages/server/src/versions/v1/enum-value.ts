import { type EnumValue, enumValueId } from '../../domain/enum-value.ts'

/** Presents a record of the feed `enums`: the value as v1 records contain it, and its display name. */
export const enumValue = (value: EnumValue) => ({
  id: enumValueId(value),
  enum: value.enum,
  value: value.value,
  display_name: value.displayName,
  hierarchy: value.hierarchy,
  top_level_category: value.topLevelCategory,
})
