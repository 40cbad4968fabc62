import { longestNickname, nicknamed } from '../../gazetteer/nicknames.ts'
import { wordsOf } from './parse-query.ts'
import type { Word } from './word.ts'

/** Returns a query with its first nickname replaced by the name of the place; undefined without a nickname. */
export function nicknameVariant(words: readonly Word[]): readonly Word[] | undefined {
  const typed = words.map(({ text }) => text)
  for (let from = 0; from < typed.length; from++) {
    for (let length = Math.min(longestNickname, typed.length - from); length > 0; length--) {
      const place = nicknamed(typed.slice(from, from + length).join(' '))
      if (place === undefined) continue
      const after = typed.slice(from + length)
      const unfinished = after.length > 0 && words.at(-1)!.unfinished
      return wordsOf([...typed.slice(0, from), ...place.name.split(' '), ...after], unfinished)
    }
  }
  return undefined
}
