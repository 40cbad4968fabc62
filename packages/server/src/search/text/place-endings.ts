/**
 * Endings of names of places in cases other than the nominative, and the nominative endings: "в Париже", "w Madrycie",
 * "Istanbul'da". Words are folded. Several endings may fit a word; a look-up decides.
 */
const endings: readonly (readonly [string, string])[] = [
  // Russian.
  ...pairs('е: е:а ы:а ы: и:ь и:я и:а и: а: у: у:а ю:ь ом: ем:ь ой:а ами:ы ах:ы'),
  // Polish.
  ...pairs('szcie:szt cie:t dzie:d dze:ga ce:ka rze:r le:l ie: ie:a iu: niu:en u: a: i:a y:a ach:y ach:a'),
  // Turkish, and the genitive of German and Swedish.
  ...pairs('daki: deki: taki: teki: da: de: ta: te: dan: den: tan: ten: in: un: nin: s:'),
]
/** Minimum length of a word with such an ending. */
const minLength = 5

function pairs(list: string): [string, string][] {
  return list.split(' ').map(pair => pair.split(':') as [string, string])
}

/** The endings by their last letter. */
const byLastLetter = Map.groupBy(endings, ([end]) => end.at(-1)!)

/** Returns the words that a folded word may be a case of. */
export function nominativesOf(word: string): readonly string[] {
  const found: string[] = []
  if (word.length < minLength) return found
  for (const [end, nominative] of byLastLetter.get(word.at(-1)!) ?? []) {
    if (!word.endsWith(end) || word.length - end.length < minLength - 2) continue
    const one = word.slice(0, -end.length) + nominative
    if (!found.includes(one)) found.push(one)
  }
  return found
}
