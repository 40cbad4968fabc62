/** The bounds of a text that people enter. */
export interface TextBounds {
  /** Maximum number of characters. A line break counts as one, however it is sent. */
  readonly max: number
  /** True if the text has no line breaks. */
  readonly isLine: boolean
}

const line: TextBounds = { max: 200, isLine: true }
const text: TextBounds = { max: 2000, isLine: false }

/** The bounds of texts that are stored as they are entered, by the name of the field in the admin API and in forms. */
export const textBounds = {
  id: line,
  name: line,
  external_ref: line,
  email: { max: 254, isLine: true },
  url: { max: 2000, isLine: true },
  source: line,
  reason: text,
  comment: text,
  notes: text,
  text,
  answer: text,
} as const

/** Maximum number of values of each restriction of a scope: more than there are countries. */
export const maxScopeValues = 250

/** A field whose text has bounds. */
export type BoundedField = keyof typeof textBounds

/** The reason why a text is outside its bounds. */
export type TextProblem = 'too_long' | 'not_one_line' | 'control_characters'

/** Returns the reason why a text is outside its bounds; undefined if it is within. */
export function textProblem(value: string, { max, isLine }: TextBounds): TextProblem | undefined {
  // Browsers send a line break as two characters and count it as one.
  const characters = value.replaceAll('\r\n', '\n')
  if (characters.length > max && [...characters].length > max) return 'too_long'
  if (isLine && /[\r\n\u2028\u2029]/.test(value)) return 'not_one_line'
  return (isLine ? /\p{Cc}/u : /[^\P{Cc}\t\r\n]/u).test(value) ? 'control_characters' : undefined
}

/** Returns a name from another system as one line within its bounds. */
export const toName = (value: string): string =>
  [...value.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()].slice(0, textBounds.name.max).join('').trim()

/** Returns the rule that a text breaks, as the end of a sentence that begins with its field. */
export const textProblemText = (problem: TextProblem, max: number): string =>
  ({
    too_long: `must have at most ${max} characters.`,
    not_one_line: 'must be one line, without line breaks.',
    control_characters: 'must not have control characters.',
  })[problem]
