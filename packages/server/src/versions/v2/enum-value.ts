import { type EnumValue, enumValueId } from '../../domain/enum-value.ts'
import { labelled, topLevelCategoryName } from './labels.ts'

/** A word of the feed `enums` (R-45), labelled as in v2's records. */
export const enumValue = (word: EnumValue) => ({
  id: enumValueId(word),
  enum: word.enum,
  value: { id: word.value, display_name: word.displayName },
  hierarchy: word.hierarchy,
  top_level_category: word.topLevelCategory && labelled(word.topLevelCategory, topLevelCategoryName),
})
