import type { Wants } from '../../../domain/interpretation.ts'
import { mapList } from '../../../kit/map-list.ts'
import { nearPhraseAt } from '../../text/near-words.ts'
import { beginsQueryPhrase, longestQueryPhrase, type QueryPhrase, queryPhrase } from '../../text/query-words.ts'
import { spans } from '../parse-query.ts'
import type { KindSpan } from './kinds-in-text.ts'
import { noWants } from './reading.ts'

/** Words of a text that name nothing, and the preferences among them. */
export interface QueryWords {
  /** For each token, true if it is part of a phrase that names nothing. */
  readonly isDropped: readonly boolean[]
  /** For each token, true if it is part of a phrase such as "near me", whose words name no place. */
  readonly isNearMe: readonly boolean[]
  /** For each token, true if it only asks or praises. */
  readonly isIdle: readonly boolean[]
  readonly wants: Wants
}

/** Finds the phrases in a text that name nothing, longest first; `kinds` are the kinds of places in it. */
export function queryWordsIn(all: readonly string[], kinds: readonly KindSpan[]): QueryWords {
  const phrases = spans(all, longestQueryPhrase, beginsQueryPhrase, queryPhrase)
  if (phrases.length === 0) return withoutPhrases(all)
  const isOther = otherPhrases(all, phrases, kinds)
  const meanings = mapList(phrases, (meaning, i) => (isOther[i] ? undefined : meaning))
  const isDropped = mapList(meanings, meaning => meaning !== undefined)
  const isNearMe = mapList(meanings, meaning => meaning?.kind === 'nearMe')
  const isIdle = mapList(meanings, meaning => meaning?.kind === 'asking' || meaning?.kind === 'praise')
  const found = new Set(meanings.filter(meaning => meaning !== undefined))
  return { isDropped, isNearMe, isIdle, wants: [...found].reduce(withPhrase, noWants) }
}

/** Returns the result for a text without such phrases. */
function withoutPhrases(all: readonly string[]): QueryWords {
  const no = mapList(all, () => false)
  return { isDropped: no, isNearMe: no, isIdle: no, wants: noWants }
}

/**
 * Returns for each token whether it is part of a kind of place ("things to do") or of a phrase such as "close to". The
 * longer phrase counts: "near" begins "near me".
 */
function otherPhrases(
  all: readonly string[],
  phrases: readonly (QueryPhrase | undefined)[],
  kinds: readonly KindSpan[],
): boolean[] {
  const isOther = mapList(all, () => false)
  for (const { from, to } of kinds) isOther.fill(true, from, to)
  const isNearMe = (at: number) => phrases[at]?.kind === 'nearMe' && !isOther[at]
  for (let at = 1; at < all.length - 1; at++) {
    const end = at + nearPhraseAt(all, at)
    if (isNearMe(at) && (isNearMe(end) || isNearMe(at - 1))) continue
    isOther.fill(true, at, end)
  }
  return isOther
}

/** Adds the preference of a phrase. */
function withPhrase(wants: Wants, phrase: QueryPhrase): Wants {
  switch (phrase.kind) {
    case 'price':
      return { ...wants, priceLevels: [...new Set([...wants.priceLevels, phrase.level])] }
    case 'stars':
      return { ...wants, stars: phrase.stars }
    case 'openNow':
      return { ...wants, openNow: true }
    case 'nearMe':
      return { ...wants, nearMe: true }
    case 'trip':
      return { ...wants, tripType: phrase.type }
    case 'amenity':
      return { ...wants, labels: [...new Set([...wants.labels, phrase.label])] }
    default:
      return wants
  }
}
