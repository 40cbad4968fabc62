import { type EnumValue, enumValueId } from '../../domain/enum-value.ts'
import { labelled, topLevelCategoryName } from './labels.ts'

/** Presents a record of the feed `enums`, labelled as in v2 records. */
export const enumValue = (value: EnumValue) => ({
  id: enumValueId(value),
  enum: value.enum,
  value: { id: value.value, display_name: value.displayName },
  hierarchy: value.hierarchy,
  top_level_category: value.topLevelCategory && labelled(value.topLevelCategory, topLevelCategoryName),
})
