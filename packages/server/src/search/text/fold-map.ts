import { fold } from '../../kit/fold.ts'

/** A folded text, and the graphemes of the raw text that its code units come from. */
export interface FoldedText {
  readonly text: string
  /** Start of the grapheme of each code unit, in UTF-16 code units of the raw text. */
  readonly starts: readonly number[]
  /** End (exclusive) of that grapheme. */
  readonly ends: readonly number[]
}

const ascii = /^[\x20-\x7e]*$/
let segmenter: Intl.Segmenter | undefined

/**
 * Folds a text grapheme by grapheme, so that each code unit of the result is known to come from one grapheme, although
 * lengths differ: `ß` becomes `ss`, and a letter with its marks one letter. The text equals that of `fold`.
 */
export function foldWithMap(raw: string): FoldedText {
  const starts: number[] = []
  const ends: number[] = []
  if (ascii.test(raw)) {
    for (let i = 0; i < raw.length; i++) {
      starts.push(i)
      ends.push(i + 1)
    }
    return { text: fold(raw), starts, ends }
  }
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' })
  let text = ''
  for (const { segment, index } of segmenter.segment(raw)) {
    const folded = fold(segment)
    text += folded
    for (let i = 0; i < folded.length; i++) {
      starts.push(index)
      ends.push(index + segment.length)
    }
  }
  return { text, starts, ends }
}
