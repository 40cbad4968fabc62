import { normalizeCategoryId, toCategoryId } from '../../domain/category.ts'

/** First character of the terms of categories. */
export const categoryMark = '@'

/**
 * Terms for values that are not words. Their first character is never part of a token, so no query can contain them as
 * text.
 */
export const reservedTerm = {
  /** Term of a top-level category or category id, independent of case and spaces in ids. */
  category: (id: string): string => `${categoryMark}${normalizeCategoryId(id)}`,
  /** Term of the id of an attribute, independent of case and spaces. */
  attribute: (id: string): string => `&${toCategoryId(id)}`,
  /** Term of the id that a source gives an area that contains documents. */
  geoId: (id: string): string => `#${id}`,
  /** Term of a postal code, independent of case, spaces and punctuation. */
  postalCode: (code: string): string =>
    `$${code
      .normalize('NFKD')
      .replace(/[^\p{L}\p{N}]/gu, '')
      .toLowerCase()}`,
}
