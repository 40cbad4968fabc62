import type { LimitState } from '../../access/limit-state.ts'
import { ScratchBucket } from './scratch-tables.ts'

/** The epoch in which a text was written, and the time of its last decision. */
export interface TextHead {
  readonly epoch: number
  readonly lastUs: number
}

/** The states of one subject in both buckets, with the text that nodes share: `epoch|lastUs|package|search`. */
export class SubjectState {
  readonly tables = { package: new ScratchBucket(), search: new ScratchBucket() }

  /** Loads a text; undefined if it is of another form, which counts as absent. */
  load(subject: string, text: string): TextHead | undefined {
    const [epochText, lastText, pack, search, ...rest] = text.split('|')
    const epoch = Number(epochText)
    const lastUs = Number(lastText)
    if (search === undefined || rest.length > 0 || !Number.isSafeInteger(epoch) || !Number.isSafeInteger(lastUs))
      return undefined
    if (!this.tables.package.load(subject, pack!) || !this.tables.search.load(subject, search)) return undefined
    return { epoch, lastUs }
  }

  /** Loads the states of a subject that the ledger has; idle ones without any. */
  seed(subject: string, states: readonly LimitState[]): void {
    for (const table of Object.values(this.tables)) table.clear(subject)
    for (const { bucket, tatUs, windowStartMs, used, penalty } of states) {
      const table = this.tables[bucket]
      table.setTat(0, tatUs)
      table.setWindow(0, windowStartMs, used)
      table.setPenalty(0, penalty)
    }
  }

  encode({ epoch, lastUs }: TextHead): string {
    return `${epoch}|${lastUs}|${this.tables.package.encode()}|${this.tables.search.encode()}`
  }
}

/** Returns the epoch of a text without reading the rest; NaN if the text is of another form. */
export const readEpoch = (text: string): number => Number(text.slice(0, Math.max(0, text.indexOf('|'))) || Number.NaN)
