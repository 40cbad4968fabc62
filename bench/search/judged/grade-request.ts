import { plain } from '../classes/known.ts'
import { hasFacts, type JudgedLocation } from './judgement.ts'
import type { JudgedRequest } from './read-lines.ts'

/** A recommended place with excerpts of its reviews. */
export interface Recommended {
  readonly location: JudgedLocation
  readonly review_sources?: readonly { readonly snippet: string }[]
}

export type RequestGrade = 'good' | 'partly' | 'bad' | 'empty'

export interface GradedRequest {
  readonly grade: RequestGrade
  readonly excerpts: number
  /** Excerpts that do not fit. */
  readonly misfits: readonly string[]
}

/** Number of recommendations that are judged. */
const judged = 5
/** Share of them that must have the facts, and share that must have a text with the idea, if one was asked for. */
const good = { facts: 0.8, ideas: 0.4 }
const partly = 0.4

/**
 * Grades recommendations. They are good if four of five have the facts, and two of them a text that speaks of the idea
 * that was asked for; they are partly good if two of five have the facts. An excerpt fits if it speaks of an idea and
 * not against it; where a request has no idea, every excerpt of a place with the facts fits.
 */
export function gradeRequest(found: readonly Recommended[], request: JudgedRequest): GradedRequest {
  const { fits, available = judged } = request
  const first = found.slice(0, judged)
  const wanted = Math.min(judged, available)
  const isFor = request.ideas === undefined ? () => true : matcher(request.ideas)
  const isAgainst = request.against === undefined ? () => false : matcher(request.against)
  const fitting = first.filter(({ location }) => hasFacts(location, fits))
  const withIdea = fitting.filter(one => textsOf(one).some(isFor))
  const excerpts = first.flatMap(one =>
    (one.review_sources ?? []).map(({ snippet }) => ({ snippet, isPlace: fitting.includes(one) })),
  )
  const misfits = excerpts.filter(({ snippet, isPlace }) => !isPlace || !isFor(snippet) || isAgainst(snippet))
  return {
    grade: gradeOf({ found: first.length, fitting: fitting.length, withIdea: withIdea.length, wanted }),
    excerpts: excerpts.length,
    misfits: misfits.map(({ snippet }) => snippet),
  }
}

function gradeOf(counts: { found: number; fitting: number; withIdea: number; wanted: number }): RequestGrade {
  const { found, fitting, withIdea, wanted } = counts
  if (found === 0) return 'empty'
  if (fitting >= good.facts * wanted && withIdea >= good.ideas * wanted) return 'good'
  return fitting >= partly * wanted ? 'partly' : 'bad'
}

/** Returns a test for texts as they are, and without accents. */
const matcher = (pattern: string) => {
  const expression = new RegExp(pattern, 'iu')
  return (text: string) => expression.test(text) || expression.test(plain(text))
}

/** Returns the texts in which a place may show an idea. */
const textsOf = ({ location, review_sources: reviews = [] }: Recommended): string[] => [
  ...(location.names ?? []).map(({ value }) => value),
  ...(location.attributes ?? []).map(({ name }) => name),
  ...(location.descriptions ?? []).map(({ value }) => value),
  ...reviews.map(({ snippet }) => snippet),
]
