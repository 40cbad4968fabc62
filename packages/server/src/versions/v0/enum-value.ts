import { type EnumValue, enumValueId } from '../../domain/enum-value.ts'
import { list, orNull } from './absent.ts'

/** A word of the feed `enums` in v0's manner: what is absent is sent (SPEC §9.5, last row). */
export const enumValue = (word: EnumValue) => ({
  id: enumValueId(word),
  enum: word.enum,
  value: word.value,
  display_name: word.displayName,
  hierarchy: list(word.hierarchy, name => name),
  top_level_category: orNull(word.topLevelCategory),
})
