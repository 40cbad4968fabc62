import { type EnumValue, enumValueId } from '../../domain/enum-value.ts'
import { list, orNull } from './absent.ts'

/** Presents a record of the feed `enums`; absent members are sent as null or empty (SPEC §9.5, last row). */
export const enumValue = (value: EnumValue) => ({
  id: enumValueId(value),
  enum: value.enum,
  value: value.value,
  display_name: value.displayName,
  hierarchy: list(value.hierarchy, name => name),
  top_level_category: orNull(value.topLevelCategory),
})
