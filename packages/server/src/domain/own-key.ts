/** Keys that the users of a partner make themselves, within bounds, so that nobody multiplies quotas. */
import { dayMs, hourMs } from '../kit/time.ts'
import type { Key } from './key.ts'
import type { Scope } from './scope.ts'

/** Maximum number of test keys that a partner holds, and of those that it makes within 24 hours. */
export const testKeysMax = 3

/** Time for which a revoked live key and a new test key count, in milliseconds: a quota window. */
export const ownKeyWindowMs = dayMs

/** Id of the only key of a partner's API explorer, which does not count as a test key. */
export const explorerKeyId = (partnerId: string): string => `explorer_${partnerId}`

/** Time for which a secret of the explorer key works, in milliseconds. */
export const explorerSecretMs = 8 * hourMs

/** Maximum number of secrets of an explorer key; another one ends the oldest. */
export const explorerSecretsMax = 100

/** The live or the test keys of a partner. */
export interface OwnKeyCounts {
  /** Keys that are not revoked. */
  readonly held: number
  /** Keys created within the window, revoked ones included. */
  readonly made: number
  /** Keys that the partner revoked although the operator had bounded them. */
  readonly bounded: number
  /** Other keys revoked within the window. */
  readonly ended: number
}

/** Bounds under which a key is created: at `nowMs`, with at most `liveKeysMax` live keys. */
export interface OwnKeyBounds {
  readonly nowMs: number
  readonly liveKeysMax: number
}

/** Reason why a partner cannot make a key now. */
export type OwnKeyReason = 'held' | 'bounded' | 'made' | 'ended'

/** Returns the reason why a partner with these keys cannot make another one; undefined if it can. */
export function ownKeyReason(
  { test }: Pick<Key, 'test'>,
  { held, made, bounded, ended }: OwnKeyCounts,
  { liveKeysMax }: OwnKeyBounds,
): OwnKeyReason | undefined {
  const max = test ? testKeysMax : liveKeysMax
  if (held >= max) return 'held'
  // Otherwise a partner could exchange a key that the operator disabled or narrowed for one without these bounds.
  if (held + bounded >= max) return 'bounded'
  if (test) return made >= testKeysMax ? 'made' : undefined
  // The units of a key that was revoked a moment ago may be used up: a new key must not bring them again.
  return held + bounded + ended >= max ? 'ended' : undefined
}

/**
 * A restriction of a scope, and the value with which another scope leaves it; undefined if that one does not restrict.
 */
export interface WiderPart {
  readonly restriction: keyof Scope
  readonly value: string | undefined
}

/** Returns the first part in which a scope is wider than another one; undefined if it is nowhere. */
export function widerPart(scope: Scope, than: Scope): WiderPart | undefined {
  for (const restriction of ['countries', 'categories', 'sources'] as const) {
    const [values, bound]: (readonly string[] | undefined)[] = [scope[restriction], than[restriction]]
    if (bound === undefined) continue
    if (values === undefined) return { restriction, value: undefined }
    const outside = values.find(value => !bound.includes(value))
    if (outside !== undefined) return { restriction, value: outside }
  }
  return undefined
}
