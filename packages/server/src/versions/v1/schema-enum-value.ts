import { enumNames } from '../../domain/enum-value.ts'
import { describedRef, listOf, object, oneOf, optional, string } from '../primitives/schema.ts'

/** A record of the feed `enums`. */
export const EnumValue = object(
  {
    id: string('Enumeration and value, such as `category:hotel`.'),
    enum: oneOf(enumNames, 'Name of the enumeration.'),
    value: string('Value, as it appears in records.'),
    display_name: string('Human-readable name.'),
    hierarchy: optional(listOf(string('Name.'), 'Categories only: names from the top of the category tree down.')),
    top_level_category: optional(describedRef('TopLevelCategory', 'Categories only: the top-level category.')),
  },
  'One value of an enumeration that records use.',
)
