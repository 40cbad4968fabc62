import type { Tone } from '../../../web/parts/notice.ts'

/** A measure in words, with the bounds within which it is fine. */
export interface MeasureRow {
  readonly label: string
  readonly value: string
  /** Sentence about the threshold. */
  readonly fine: string
  readonly tone: Extract<Tone, 'good' | 'warn' | 'bad'>
}

/** Returns the tone of a measure that may be wrong. */
export const toneIf = (isWrong: boolean, tone: 'warn' | 'bad'): MeasureRow['tone'] => (isWrong ? tone : 'good')
