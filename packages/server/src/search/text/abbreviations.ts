/** What people write short, and how names may spell it; nothing for what names may write as a sign or leave out. */
const long: Readonly<Record<string, readonly string[]>> = {
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
const joining = new Set(['and', 'und', 'et', 'y', 'e', 'og', 'och', 'en', 'i'])

/** Both ways: "saint" may stand in a name as "st". */
const others = new Map<string, readonly string[]>(Object.entries(long))
for (const [short, words] of Object.entries(long)) {
  for (const word of words) others.set(word, [...(others.get(word) ?? []), short])
}

/** The query with a short word written out, a long one short, or "and" left out: one word changed in each. */
export function otherwiseWritten(words: readonly string[]): string[][] {
  return words.flatMap((word, at) => {
    const [before, after] = [words.slice(0, at), words.slice(at + 1)]
    const isBetween = before.length > 0 && after.length > 0
    return [
      ...(others.get(word) ?? []).map(other => [...before, other, ...after]),
      ...(isBetween && joining.has(word) ? [[...before, ...after]] : []),
    ]
  })
}
