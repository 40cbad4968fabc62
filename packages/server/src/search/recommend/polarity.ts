import { fold } from '../../kit/fold.ts'

/** Negators in English, Spanish, French, German, Italian, Portuguese, Dutch, Polish and Russian. */
const negators = wordsOf(
  'not no never without hardly nothing difficult isn wasn aren weren doesn didn don couldn lacks lacking ' +
    'sin nunca ni nada difícil pas sans jamais aucun aucune difficile kein keine keinen keinem keiner nicht ohne nie schwierig ' +
    'non senza mai nessun nessuna não sem nem niet geen zonder nooit moeilijk bez nigdy brak не нет без ни никогда сложно',
)

/** Words after which a negator before them has no effect, in the same languages. */
const contrasts = wordsOf(
  'but however although pero sino aunque mais aber sondern doch ma però mas porém maar ale но а зато',
)

/** Number of words before a word in which a negator has an effect. */
const reach = 3
const words = /[\p{L}\p{N}\p{M}]+/gu

/** Negations in Chinese before a word, and in Japanese and Korean after it, within a few characters. */
const negatedBefore = /[没沒不無无][^，。,.]{0,2}$/u
const negatedAfter = new RegExp(
  `^[^、。,.!]{0,6}(?:ない|なかった|ません|ず|${fold('않')}|${fold('없')}|${fold('아니')})`,
  'u',
)
const unspaced = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Hangul}]/u

/** Returns true if a folded sentence negates the words from `from` up to `to` (exclusive). */
export function isNegated(sentence: string, from: number, to: number): boolean {
  if (unspaced.test(sentence.slice(from, to)))
    return (
      negatedBefore.test(sentence.slice(Math.max(0, from - 4), from)) || negatedAfter.test(sentence.slice(to, to + 16))
    )
  const before = sentence.slice(0, from).match(words) ?? []
  for (let i = before.length - 1; i >= Math.max(0, before.length - reach); i--) {
    if (contrasts.has(before[i]!)) return false
    if (negators.has(before[i]!)) return true
  }
  return false
}

/** Returns true if a word of a query negates the next one. */
export const isNegator = (word: string): boolean => negators.has(word)

/** Returns true if a word of a query ends a negation. */
export const isContrast = (word: string): boolean => contrasts.has(word)

function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.split(' ').map(fold))
}
