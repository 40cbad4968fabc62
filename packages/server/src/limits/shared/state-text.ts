import type { LimitState } from '../../access/limit-state.ts'
import { newestForm, requireKnownForm } from '../../domain/forms.ts'
import { forEachBucket, type LimitedBucket, limitBuckets } from '../../domain/limit-bucket.ts'
import { type BucketValue, encodeBucket, idleBucket, parseBucket, ScratchBucket } from './scratch-tables.ts'

/** The epoch in which a text was written, and the time of its last decision. */
export interface TextHead {
  readonly epoch: number
  readonly lastUs: number
}

/**
 * The states of one subject in all buckets, with the text that nodes share: `epoch|lastUs|package|search` in form 1;
 * later forms begin with `form~epoch|`, and form 2 ends with `|autocomplete`.
 */
export interface StateText extends TextHead, Readonly<Record<LimitedBucket, BucketValue>> {
  readonly text: string
  readonly form: number
  /** The part of the text after the head. */
  readonly body: string
}

/** Buckets in the order of their states in a text; form 1 has the first two. */
const bucketsOf = (form: number): readonly LimitedBucket[] => limitBuckets.slice(0, form + 1)

/** Returns true if texts of a form have the state of a bucket. */
export const hasBucket = (form: number, bucket: LimitedBucket): boolean => bucketsOf(form).includes(bucket)

/** Reads a text; undefined if it is damaged, which counts as absent, or of a newer form. */
export function parseText(text: string): StateText | undefined {
  const form = formOf(text)
  if (form > newestForm('limitState')) return undefined
  const [epochText, lastText, ...parts] = withoutForm(text).split('|')
  const epoch = Number(epochText)
  const lastUs = Number(lastText)
  const buckets = bucketsOf(form)
  if (parts.length !== buckets.length || !Number.isSafeInteger(epoch) || !Number.isSafeInteger(lastUs)) return undefined
  const values = parts.map(parseBucket)
  if (values.includes(undefined)) return undefined
  const states = forEachBucket(bucket => values[buckets.indexOf(bucket)] ?? idleBucket)
  return { text, form, epoch, lastUs, body: parts.join('|'), ...states }
}

/** The states of one subject at a time, for the rules of limits to work on. */
export class SubjectState {
  readonly tables = forEachBucket(() => new ScratchBucket())

  /** Loads the states of a text. */
  load(subject: string, state: Pick<StateText, LimitedBucket>): void {
    for (const bucket of limitBuckets) this.tables[bucket].load(subject, state[bucket])
  }

  /** Loads the states of a subject that the ledger has; idle ones without any. */
  seed(subject: string, states: readonly LimitState[]): void {
    this.load(
      subject,
      forEachBucket(() => idleBucket),
    )
    for (const state of states) this.tables[state.bucket].load(subject, state)
  }

  /** Encodes the states in a form. */
  encode({ epoch, lastUs }: TextHead, form: number): StateText {
    const buckets = bucketsOf(form)
    const states = forEachBucket(bucket => (buckets.includes(bucket) ? this.tables[bucket].value() : idleBucket))
    const body = buckets.map(bucket => encodeBucket(states[bucket])).join('|')
    const sign = form === 1 ? '' : `${form}${formSign}`
    return { text: `${sign}${epoch}|${lastUs}|${body}`, form, epoch, lastUs, body, ...states }
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
