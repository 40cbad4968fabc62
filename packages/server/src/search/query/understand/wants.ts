import { beginsQueryPhrase, longestQueryPhrase, type QueryPhrase, queryPhrase } from '../../text/query-words.ts'
import { spans } from '../parse-query.ts'
import { noWants, type Wants } from './reading.ts'

/** Words of a text that name nothing, and the preferences among them. */
export interface QueryWords {
  /** For each token, true if it is part of a phrase that names nothing. */
  readonly isDropped: readonly boolean[]
  readonly wants: Wants
}

/** Finds the phrases in a text that name nothing, longest first. */
export function queryWordsIn(all: readonly string[]): QueryWords {
  const meanings = spans(all, longestQueryPhrase, beginsQueryPhrase, queryPhrase)
  const isDropped = meanings.map(meaning => meaning !== undefined)
  const found = new Set(meanings.filter(meaning => meaning !== undefined))
  return { isDropped, wants: [...found].reduce(withPhrase, noWants) }
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
