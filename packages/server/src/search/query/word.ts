/**
 * Word of a query with its possible meanings other than a word of a name. All words have all members, so that the code
 * of a search sees objects of one shape.
 */
export interface Word {
  /** Token. */
  readonly text: string
  /** Words that mean the same in names: abbreviations, and spellings with pairs of letters for umlauts. */
  readonly same: readonly string[]
  /** The word denotes a kind of place or a dish, so that areas of that name do not match. */
  readonly isKind: boolean
  /** The word denotes a dish or a cuisine, so that labels with a word of the same meaning match. */
  readonly isDish: boolean
  /** The user may still be typing the word; true for the last word only. */
  readonly unfinished: boolean
  /** Reserved terms of the categories that the word, or the phrase that contains it, denotes. */
  readonly categories: readonly string[]
  /** ISO 3166-1 alpha-2 code of the country that the word, or the phrase that contains it, denotes. */
  readonly country: string | undefined
  /** ISO 3166-2 codes of the regions that the word, or the phrase that contains it, denotes. */
  readonly regions: readonly string[] | undefined
  /** Preposition ("in", "en", "near") in a query with a category; need not match. */
  readonly optional: boolean
  /** Follows "restaurants in" and denotes an area. */
  readonly where: boolean
  /** Names a place that the query means: a match must have it, as it was typed. */
  readonly required: boolean
}
