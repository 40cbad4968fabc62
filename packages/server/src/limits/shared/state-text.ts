import type { LimitState } from '../../access/limit-state.ts'
import { newestForm, requireKnownForm } from '../../domain/forms.ts'
import { ScratchBucket } from './scratch-tables.ts'

/** The epoch in which a text was written, and the time of its last decision. */
export interface TextHead {
  readonly epoch: number
  readonly lastUs: number
}

/**
 * The states of one subject in both buckets, with the text that nodes share: `epoch|lastUs|package|search` in form 1;
 * later forms begin with `form~epoch|`.
 */
export class SubjectState {
  readonly tables = { package: new ScratchBucket(), search: new ScratchBucket() }

  /** Loads a text; undefined if it is damaged, which counts as absent, or of a newer form. */
  load(subject: string, text: string): TextHead | undefined {
    if (formOf(text) > newestForm('limitState')) return undefined
    const [epochText, lastText, pack, search, ...rest] = bodyOf(text).split('|')
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

  /** Encodes the states in a form. */
  encode({ epoch, lastUs }: TextHead, form: number): string {
    const sign = form === 1 ? '' : `${form}${formSign}`
    return `${sign}${epoch}|${lastUs}|${this.tables.package.encode()}|${this.tables.search.encode()}`
  }
}

const formSign = '~'
const formOf = (text: string): number => (text.includes(formSign) ? Number(text.slice(0, text.indexOf(formSign))) : 1)
const bodyOf = (text: string): string => text.slice(text.indexOf(formSign) + 1)

/** Returns the epoch of a text of any form without reading the rest; NaN if the text is damaged. */
export function readEpoch(text: string): number {
  const body = bodyOf(text)
  return Number(body.slice(0, Math.max(0, body.indexOf('|'))) || Number.NaN)
}

/** Throws UnknownForm for a text of an epoch that only a newer release reads; any other is absent or can be loaded. */
export function requireReadable(subject: string, text: string, epoch: number): void {
  if (readEpoch(text) === epoch) requireKnownForm(`The shared state of ${subject}`, formOf(text), 'limitState')
}
