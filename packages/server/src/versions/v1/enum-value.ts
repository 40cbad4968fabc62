import { type EnumValue, enumValueId } from '../../domain/enum-value.ts'

/** A word of the feed `enums`: as records of v1 name it, and how people read it. */
export const enumValue = (word: EnumValue) => ({
  id: enumValueId(word),
  enum: word.enum,
  value: word.value,
  display_name: word.displayName,
  hierarchy: word.hierarchy,
  top_level_category: word.topLevelCategory,
})
