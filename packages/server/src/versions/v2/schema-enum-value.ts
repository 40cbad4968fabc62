import { topLevelCategories } from '../../domain/category.ts'
import { enumNames } from '../../domain/enum-value.ts'
import { closed, listOf, oneOf, optional, text } from '../primitives/schema.ts'

/** A record of the feed `enums`. */
export const EnumValue = closed(
  {
    id: text('Enumeration and value, such as `category:hotel`.'),
    enum: oneOf(enumNames, 'Name of the enumeration.'),
    value: closed(
      { id: text('Value, as it appears in records.'), display_name: text('Human-readable name.') },
      'Value with its name.',
    ),
    hierarchy: optional(listOf(text('Name.'), 'Categories only: names from the top of the category tree down.')),
    top_level_category: optional(
      closed(
        { id: oneOf(topLevelCategories, 'Top-level category.'), display_name: text('Human-readable name.') },
        'Categories only: the top-level category.',
      ),
    ),
  },
  'One value of an enumeration that records use.',
)
