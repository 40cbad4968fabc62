import type { LimitState } from '../../access/limit-state.ts'
import { newestForm, requireKnownForm } from '../../domain/forms.ts'
import { type BucketValue, encodeBucket, idleBucket, parseBucket, ScratchBucket } from './scratch-tables.ts'

/** The epoch in which a text was written, and the time of its last decision. */
export interface TextHead {
  readonly epoch: number
  readonly lastUs: number
}

/**
 * The states of one subject in both buckets, with the text that nodes share: `epoch|lastUs|package|search` in form 1;
 * later forms begin with `form~epoch|`.
 */
export interface StateText extends TextHead {
  readonly text: string
  readonly form: number
  /** The part of the text after the head. */
  readonly body: string
  readonly package: BucketValue
  readonly search: BucketValue
}

/** Reads a text; undefined if it is damaged, which counts as absent, or of a newer form. */
export function parseText(text: string): StateText | undefined {
  const form = formOf(text)
  if (form > newestForm('limitState')) return undefined
  const [epochText, lastText, packageText, searchText, ...rest] = withoutForm(text).split('|')
  const epoch = Number(epochText)
  const lastUs = Number(lastText)
  if (searchText === undefined || rest.length > 0 || !Number.isSafeInteger(epoch) || !Number.isSafeInteger(lastUs))
    return undefined
  const pack = parseBucket(packageText!)
  const search = parseBucket(searchText)
  const body = `${packageText}|${searchText}`
  return pack && search && { text, form, epoch, lastUs, body, package: pack, search }
}

/** The states of one subject at a time, for the rules of limits to work on. */
export class SubjectState {
  readonly tables = { package: new ScratchBucket(), search: new ScratchBucket() }

  /** Loads the states of a text. */
  load(subject: string, state: Pick<StateText, 'package' | 'search'>): void {
    this.tables.package.load(subject, state.package)
    this.tables.search.load(subject, state.search)
  }

  /** Loads the states of a subject that the ledger has; idle ones without any. */
  seed(subject: string, states: readonly LimitState[]): void {
    this.load(subject, { package: idleBucket, search: idleBucket })
    for (const state of states) this.tables[state.bucket].load(subject, state)
  }

  /** Encodes the states in a form. */
  encode({ epoch, lastUs }: TextHead, form: number): StateText {
    const pack = this.tables.package.value()
    const search = this.tables.search.value()
    const body = `${encodeBucket(pack)}|${encodeBucket(search)}`
    const sign = form === 1 ? '' : `${form}${formSign}`
    return { text: `${sign}${epoch}|${lastUs}|${body}`, form, epoch, lastUs, body, package: pack, search }
  }
}

const formSign = '~'
const formOf = (text: string): number => (text.includes(formSign) ? Number(text.slice(0, text.indexOf(formSign))) : 1)
const withoutForm = (text: string): string => text.slice(text.indexOf(formSign) + 1)

/** Throws UnknownForm for a text of an epoch that only a newer release reads; any other is absent or can be loaded. */
export function requireReadable(subject: string, text: string, epoch: number): void {
  if (readEpoch(text) === epoch) requireKnownForm(`The shared state of ${subject}`, formOf(text), 'limitState')
}

/** Returns the epoch of a text of any form without reading the rest; NaN if the text is damaged. */
function readEpoch(text: string): number {
  const body = withoutForm(text)
  return Number(body.slice(0, Math.max(0, body.indexOf('|'))) || Number.NaN)
}
