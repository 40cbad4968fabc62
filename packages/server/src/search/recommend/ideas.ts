import { isBigram } from '../../kit/tokens.ts'
import { dishForms, longestDish } from '../text/dish-words.ts'
import { isStopWord, tripForms, tripTypeOf } from '../text/intent-words.ts'
import { longestQueryPhrase, queryPhrase } from '../text/query-words.ts'
import { longestConcept, type Meaning, meaningOf } from './concepts.ts'
import { isContrast, isNegator } from './polarity.ts'

/** Idea that a query asks for: a known concept, or any other word. */
export interface Idea {
  /** Words as they were typed, folded, with spaces between them. */
  readonly text: string
  /** Folded words and phrases for the idea, in several languages. */
  readonly forms: readonly string[]
  /** Words and phrases for its opposite. */
  readonly opposites: readonly string[]
  /** Id of the concept, trip type or dish; undefined for another word. */
  readonly concept?: string
  /** True for a dish or a cuisine. */
  readonly isDish?: boolean
  /** True if the query excludes it: "without stairs". */
  readonly isUnwanted: boolean
}

/** Number of words behind a negator that it applies to. */
const reach = 3
/** Endings and particles of Japanese that remain of a phrase, and bigrams of a character and an ending. */
const particles = /^(?:\p{scx=Hiragana}.?|[^\p{scx=Hiragana}]\p{sc=Hiragana})$/u

/**
 * Returns the ideas in the tokens of a query, each once: phrases first, then words that are not stop words. Tokens for
 * which `isUsed` is true mean something else.
 */
export function ideasIn(all: readonly string[], isUsed: (at: number) => boolean): Idea[] {
  const found = new Map<string, Idea>()
  /** Number of further words that a negator applies to. */
  let negated = 0
  for (let at = 0; at < all.length; ) {
    const word = all[at]!
    if (isNegator(word)) negated = reach + 1
    if (isContrast(word)) negated = 0
    const span = isUsed(at) ? undefined : phraseAt(all, at, isUsed, negated > 0)
    const idle = span === undefined && negated === 0 ? idleWordsAt(all, at) : 0
    if (idle > 0) {
      at += idle
      continue
    }
    if (span !== undefined) addOnce(found, span.idea)
    else if (!isUsed(at) && !isStopWord(word) && !isNegator(word) && !particles.test(word)) {
      const idea = { ...(tripIdea(word) ?? wordIdea(word)), isUnwanted: negated > 0 }
      addOnce(found, idea)
    }
    at += span?.length ?? 1
    negated = Math.max(0, negated - 1)
  }
  return [...found.values()]
}

/** Finds the longest phrase of a concept that begins at a token, else the longest one of a dish or cuisine. */
function phraseAt(all: readonly string[], at: number, isUsed: (at: number) => boolean, isNegated: boolean) {
  const span = conceptAt(all, at, isUsed)
  if (span !== undefined) {
    const text = all.slice(at, at + span.length).join(' ')
    return { length: span.length, idea: conceptIdea(span.meaning, text, isNegated) }
  }
  for (let length = Math.min(longestDish, all.length - at); length > 0; length--) {
    const words = all.slice(at, at + length)
    const text = words.join(' ')
    const forms = words.some((_, i) => isUsed(at + i)) ? undefined : dishForms(text)
    if (forms !== undefined)
      return {
        length,
        idea: { ...wordIdea(text), forms, concept: forms[0] ?? text, isDish: true, isUnwanted: isNegated },
      }
  }
  return undefined
}

/** Returns the idea of a concept: not noisy is quiet, and noisy is wanted if a query says no more. */
function conceptIdea({ concept, isOpposite }: Meaning, text: string, isNegated: boolean): Idea {
  const isSwapped = isOpposite && !isNegated
  const [forms, opposites] = isSwapped ? [concept.opposites, concept.forms] : [concept.forms, concept.opposites]
  return { text, forms, opposites, concept: concept.id, isUnwanted: !isOpposite && isNegated }
}

/** Returns the idea of a word for a trip type: reviews in other languages use other words for it. */
function tripIdea(text: string): Idea | undefined {
  const type = tripTypeOf(text)
  return type && { ...wordIdea(text), forms: tripForms[type], concept: type }
}

function addOnce(found: Map<string, Idea>, idea: Idea): void {
  const key = idea.concept ?? idea.text
  if (!found.has(key)) found.set(key, idea)
}

/** Finds the longest phrase of a concept that begins at a token. */
function conceptAt(all: readonly string[], at: number, isUsed: (at: number) => boolean) {
  for (let length = Math.min(longestConcept, all.length - at); length > 0; length--) {
    const words = all.slice(at, at + length)
    if (words.some((word, i) => isUsed(at + i) || (length === 1 && isStopWord(word)))) continue
    const meaning = meaningOf(words)
    if (meaning !== undefined) return { length, meaning }
  }
  return undefined
}

/** Phrases that are not ideas: those that say nothing, and facts of records. */
const idleKinds: ReadonlySet<string | undefined> = new Set(['asking', 'praise', 'stars', 'openNow'])

/** Returns the number of tokens of a phrase that is not an idea; 0 if there is no such phrase. */
function idleWordsAt(all: readonly string[], at: number): number {
  for (let length = Math.min(longestQueryPhrase, all.length - at); length > 0; length--) {
    const kind = queryPhrase(all.slice(at, at + length).join(' '))?.kind
    if (idleKinds.has(kind)) return length
  }
  return 0
}

/** Returns the idea of a word that is no concept. */
export const wordIdea = (text: string): Idea => ({ text, forms: [text], opposites: [], isUnwanted: false })

/** Returns the words of an idea that names and labels may have: single words, as they are in the index. */
export const wordsOfIdea = ({ text, forms }: Idea): readonly string[] => [
  ...new Set([text, ...forms].filter(form => !form.includes(' ') && (!isBigram(form) || form.length === 2))),
]
