/** Abbreviations in queries and the words that they may abbreviate in names. */
const expansions: Readonly<Record<string, readonly string[]>> = {
  st: ['saint', 'sankt', 'street', 'sint'],
  ste: ['sainte'],
  mt: ['mount', 'mont'],
  ft: ['fort'],
  ave: ['avenue'],
  av: ['avenue', 'avenida'],
  blvd: ['boulevard'],
  rd: ['road'],
  sq: ['square'],
  bldg: ['building'],
  intl: ['international'],
  natl: ['national'],
  univ: ['university'],
  dept: ['department'],
}
/** Words for "and" in several languages, which names often write as "&" or omit. */
const conjunctions = new Set(['and', 'und', 'et', 'y', 'e', 'og', 'och', 'en', 'i'])

/** Equivalent forms in both directions: "saint" also maps to "st". */
const equivalents = new Map<string, readonly string[]>(Object.entries(expansions))
for (const [short, words] of Object.entries(expansions)) {
  for (const word of words) equivalents.set(word, [...(equivalents.get(word) ?? []), short])
}

/**
 * Returns variants of a query with one word changed in each: an abbreviation expanded, a word abbreviated, or a
 * conjunction between two words removed.
 */
export function spellingVariants(words: readonly string[]): string[][] {
  return words.flatMap((word, at) => {
    const [before, after] = [words.slice(0, at), words.slice(at + 1)]
    const isBetween = before.length > 0 && after.length > 0
    return [
      ...(equivalents.get(word) ?? []).map(other => [...before, other, ...after]),
      ...(isBetween && conjunctions.has(word) ? [[...before, ...after]] : []),
    ]
  })
}
