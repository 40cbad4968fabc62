import { tokens } from '../../kit/tokens.ts'

/** Phrases before the thing that a place is close to, in the languages of the category words. */
const phrases =
  'near, near to, near the, close to, close to the, next to, next to the, around, around the, by, by the, not far from, within walking distance of, walking distance from, in the vicinity of, ' +
  'nahe, nahe dem, nahe der, in der nähe von, in der nähe vom, in der nähe der, in der nähe des, nähe, beim, bei, bei der, am, an der, an dem, neben, neben dem, rund um, ' +
  'près de, près du, près de la, près des, à côté de, à côté du, à côté de la, autour de, autour du, proche de, proche du, à proximité de, ' +
  'cerca de, cerca del, cerca de la, cerca, junto a, junto al, junto a la, al lado de, al lado del, alrededor de, ' +
  'vicino a, vicino al, vicino alla, vicino, accanto a, accanto al, presso, intorno a, nei pressi di, ' +
  'perto de, perto do, perto da, perto, ao lado de, ao lado do, próximo a, próximo de, ' +
  'bij, bij de, bij het, in de buurt van, naast, rond, dicht bij, koło, obok, blisko, w pobliżu, przy, nära, i närheten av, vid, bredvid, ' +
  'около, возле, рядом с, недалеко от'

const known = new Set(phrases.split(', ').map(phrase => tokens(phrase).join(' ')))
const firstTokens = new Set([...known].map(phrase => phrase.split(' ', 1)[0]!))
const longest = Math.max(...[...known].map(phrase => phrase.split(' ').length))

/** Minimum number of letters of what follows "by" alone: "garden by bay" is rather a name. */
const minLettersBehindBy = 5

/** Returns true if a phrase that means "near" may introduce some words. */
export const mayIntroduce = (phrase: string, words: readonly string[]): boolean =>
  phrase !== 'by' || words.join('').length >= minLettersBehindBy

/** Returns the number of tokens of the phrase that begins at a token, the longest one; 0 if no phrase begins there. */
export function nearPhraseAt(all: readonly string[], at: number): number {
  if (!firstTokens.has(all[at]!)) return 0
  for (let length = Math.min(longest, all.length - at); length > 0; length--) {
    if (known.has(all.slice(at, at + length).join(' '))) return length
  }
  return 0
}
