import { topLevelCategories } from '../../domain/category.ts'
import { enumNames } from '../../domain/enum-value.ts'
import { closedObject, listOf, oneOf, optional, string } from '../primitives/schema.ts'

/** A record of the feed `enums`. */
export const EnumValue = closedObject(
  {
    id: string('Enumeration and value, such as `category:hotel`.'),
    enum: oneOf(enumNames, 'Name of the enumeration.'),
    value: closedObject(
      { id: string('Value, as it appears in records.'), display_name: string('Human-readable name.') },
      'Value and its name.',
    ),
    hierarchy: optional(listOf(string('Name.'), 'Categories only: names from the top of the category tree down.')),
    top_level_category: optional(
      closedObject(
        { id: oneOf(topLevelCategories, 'Top-level category.'), display_name: string('Human-readable name.') },
        'Categories only: the top-level category.',
      ),
    ),
  },
  'One value of an enumeration that records use.',
)
