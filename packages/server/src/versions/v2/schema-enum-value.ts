import { topLevelCategories } from '../../domain/category.ts'
import { enumNames } from '../../domain/enum-value.ts'
import { closed, listOf, oneOf, optional, text } from '../primitives/schema.ts'

/** A record of the feed `enums`. */
export const EnumValue = closed(
  {
    id: text('The list and the word: `category:hotel`.'),
    enum: oneOf(enumNames, 'The list.'),
    value: closed(
      { id: text('The word, as records name it.'), display_name: text('Human-readable name.') },
      'The word and its label.',
    ),
    hierarchy: optional(listOf(text('Name.'), 'Of a category: names from the top of the category tree down.')),
    top_level_category: optional(
      closed(
        { id: oneOf(topLevelCategories, 'The top of the tree.'), display_name: text('Human-readable name.') },
        'Of a category.',
      ),
    ),
  },
  'A word that records choose from.',
)
