import { beginsNickname, longestNickname, nicknamed } from '../../gazetteer/nicknames.ts'
import { mapList } from '../../kit/map-list.ts'
import { wordsOf } from './parse-query.ts'
import type { Word } from './word.ts'

/** Returns a query with its first nickname replaced by the name of the place; undefined without a nickname. */
export function nicknameVariant(words: readonly Word[]): readonly Word[] | undefined {
  const typed = mapList(words, ({ text }) => text)
  for (let from = 0; from < typed.length; from++) {
    if (!beginsNickname(typed[from]!)) continue
    for (let length = Math.min(longestNickname, typed.length - from); length > 0; length--) {
      const place = nicknamed(typed.slice(from, from + length).join(' '))
      if (place !== undefined) return replaced(words, from, length, place.name.split(' '), false)
    }
  }
  return undefined
}

/** Returns a query with "mc" joined to the name after it, as most names have it; undefined without one. */
export function joinedMcVariant(words: readonly Word[]): readonly Word[] | undefined {
  const at = words.findIndex(({ text }) => text === 'mc')
  const name = words[at + 1]?.text
  return at < 0 || name === undefined ? undefined : replaced(words, at, 2, [`mc${name}`], true)
}

/** Returns words with `length` of them replaced by others, which may be the beginning of a name. */
function replaced(
  words: readonly Word[],
  from: number,
  length: number,
  by: readonly string[],
  mayBegin: boolean,
): readonly Word[] {
  const typed = words.map(({ text }) => text)
  const after = typed.slice(from + length)
  const unfinished = words.at(-1)!.unfinished && (mayBegin || after.length > 0)
  return wordsOf([...typed.slice(0, from), ...by, ...after], unfinished)
}
