import { finderOf, type TextRange } from '../text/stems.ts'
import type { Idea } from './ideas.ts'
import { isNegated } from './polarity.ts'

/** Position of a sentence to an idea: 1 for it, -1 against it, 0 if it does not mention it. */
export type Polarity = -1 | 0 | 1

type Finder = (folded: string, from: number) => TextRange | undefined

/** Finds an idea in sentences. */
export interface IdeaMatcher {
  /** Returns the position of a folded sentence to the idea. */
  readonly polarityIn: (sentence: string) => Polarity
}

/**
 * Returns the matcher of an idea. Words for it count against it when they are negated, and words for its opposite count
 * for it then; for an unwanted idea, all is reversed. One mention for the idea is enough.
 */
export function ideaMatcher({ forms, opposites, isUnwanted }: Idea): IdeaMatcher {
  const mentionsForms = anyOf(forms)
  const mentionsOpposites = anyOf(opposites)
  return {
    polarityIn: sentence => {
      const direct = mentionsForms(sentence)
      const inverse = direct === 1 ? 0 : mentionsOpposites(sentence)
      const found = direct === 1 || inverse === -1 ? 1 : direct === -1 || inverse === 1 ? -1 : 0
      return isUnwanted && found !== 0 ? (found === 1 ? -1 : 1) : found
    },
  }
}

/** Returns a test for forms in folded sentences: 1 if one is mentioned, -1 if all that are mentioned are negated. */
function anyOf(forms: readonly string[]): (sentence: string) => Polarity {
  if (forms.length === 0) return () => 0
  const finders = forms.map(form => ({ form, find: finderOf(form) }))
  return sentence => {
    let found: Polarity = 0
    for (const { find } of finders) {
      const polarity = polarityOf(sentence, find)
      if (polarity === 1) return 1
      if (polarity === -1) found = -1
    }
    return found
  }
}

function polarityOf(sentence: string, find: Finder): Polarity {
  let found: Polarity = 0
  for (let range = find(sentence, 0); range !== undefined; range = find(sentence, range.to)) {
    if (!isNegated(sentence, range.from, range.to)) return 1
    found = -1
  }
  return found
}
