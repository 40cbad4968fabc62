import { withLetterPairs } from '../../kit/letter-pairs.ts'
import { tokens } from '../../kit/tokens.ts'

/** Apostrophes as keyboards and sources write them. */
const apostrophe = "['’‘‛`´′＇ʼʻ]"
const possessive = new RegExp(`(?<=[\\p{L}\\p{N}])${apostrophe}s(?![\\p{L}\\p{N}])`, 'giu')
const betweenLetters = new RegExp(`(?<=\\p{L})${apostrophe}(?=\\p{L})`, 'gu')
const article = new RegExp(`(?<![\\p{L}\\p{N}])l${apostrophe}(?=\\p{L})`, 'giu')
/** The "Mc" of a Scottish or Irish name that is separated from it: "Mc Donald's". */
const separateMc = /(?<![\p{L}\p{N}])(mc)\s+(?=\p{L})/giu
/** True for texts that may have another spelling; almost all have none. */
const mayVary = new RegExp(`${apostrophe}|[äöüåøÄÖÜÅØ]|[aouAOU][\\u0308\\u030a]|[Mm][Cc]\\s`, 'u')

/** Joins the "s" of a possessive with its word: "McDonald's" becomes "McDonalds". */
export const joinPossessives = (text: string): string => (mayVary.test(text) ? text.replace(possessive, 's') : text)

/**
 * Returns further spellings of a name as tokens: with words joined at apostrophes and after "Mc" ("mcdonalds",
 * "lhermitage"), without the article that an apostrophe joins ("hermitage"), and each with letters as pairs
 * ("duesseldorf").
 */
export function spellingsOf(name: string): string[][] {
  if (!mayVary.test(name)) return []
  const joined = name.replace(betweenLetters, '')
  const readings = [name, joined, joined.replace(separateMc, '$1'), name.replace(article, '')]
  const found = new Map<string, string[]>()
  for (const reading of [...readings, ...readings.map(withLetterPairs)]) {
    const words = tokens(reading)
    if (words.length > 0) found.set(words.join(' '), words)
  }
  found.delete(tokens(name).join(' '))
  return [...found.values()]
}

/** Returns the words of a query that are also spelt with pairs of letters, by folded word. */
export function pairSpellings(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  if (!mayVary.test(text)) return found
  const [plain, paired] = [tokens(text), tokens(withLetterPairs(text))]
  for (const [i, word] of plain.entries()) if (paired[i] !== undefined && paired[i] !== word) found.set(word, paired[i])
  return found
}
