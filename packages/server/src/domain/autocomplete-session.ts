import type { Id } from './id.ts'

/**
 * The use of a session of search-as-you-type by a call. `typed`: it suggested places for a text. `chosen`: it
 * read a place, which ends the session if the place was suggested in it.
 */
export type SessionUse = TypedUse | ChosenUse

export interface TypedUse {
  readonly kind: 'typed'
  /** Digest of the key and the text that the client chose for the session: 16 hexadecimal digits. */
  readonly session: string
  /** Hash of the first two letters of the text, from 1 to 65,535; 0 for a shorter text. */
  readonly letters: number
  /** The suggested places. */
  readonly offered: readonly Id[]
}

export interface ChosenUse {
  readonly kind: 'chosen'
  readonly session: string
  readonly id: Id
}

/** The part of a use that a usage record contains; `chosen` only if it ended the session. */
export type SessionMark = Pick<TypedUse, 'kind' | 'session' | 'letters'> | Pick<ChosenUse, 'kind' | 'session'>

/** The price of the use of a session. */
export interface SessionPrice {
  /** 0 if the session has paid for the call, otherwise 1; times the weight of the operation. */
  readonly units: 0 | 1
  /** Undoes the use. Call it if the call is refused, or cannot be recorded. */
  undo(): void
}

/** Bounds of a session. */
export const sessionBounds = {
  /** Number of calls. */
  calls: 60,
  /** Longest time between two calls, in milliseconds. */
  pauseMs: 180_000,
  /** Longest time from the first call to the last one, in milliseconds. */
  lengthMs: 600_000,
  /** Open sessions of all keys. */
  open: 200_000,
} as const

/** The sessions of calls. */
export interface AutocompleteSessions {
  /** Prices the use of a session; undefined while as many are open as may be. */
  use(use: SessionUse, nowMs: number): SessionPrice | undefined | Promise<SessionPrice | undefined>
}

/** Sessions in memory, whose prices are known at once. */
export interface MemorySessions extends AutocompleteSessions {
  use(use: SessionUse, nowMs: number): SessionPrice | undefined
}

/** Returns the mark of a use that was priced. */
export function toSessionMark(use: SessionUse, { units }: Pick<SessionPrice, 'units'>): SessionMark | undefined {
  const { kind, session } = use
  if (kind === 'typed') return { kind, session, letters: use.letters }
  return units === 0 ? { kind, session } : undefined
}
