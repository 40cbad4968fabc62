import { InvalidCursor } from '../../domain/request-log.ts'

/** The place of a call in the order of the list. */
export interface CallKey {
  readonly time_ms: number
  readonly id: Buffer
}

/** Returns true if a call is before another one in the order of time and id, so that a list has it later. */
export const isBefore = (a: CallKey, b: CallKey): boolean =>
  a.time_ms < b.time_ms || (a.time_ms === b.time_ms && Buffer.compare(a.id, b.id) < 0)

/** Encodes the place after a call as a cursor. */
export const writeCursor = ({ time_ms, id }: CallKey): string => `${time_ms.toString(36)}-${id.toString('base64url')}`

/** Decodes a cursor of `writeCursor`; throws InvalidCursor for any other text. */
export function readCursor(text: string): CallKey {
  const [, time, id] = /^([\da-z]{1,10})-([\w-]{22})$/.exec(text) ?? []
  if (time === undefined || id === undefined) throw new InvalidCursor()
  return { time_ms: Number.parseInt(time, 36), id: Buffer.from(id, 'base64url') }
}

/** Decodes a cursor that is a number of rows; throws InvalidCursor for any other text. */
export function readOffset(cursor: string): number {
  if (!/^\d{1,9}$/.test(cursor)) throw new InvalidCursor()
  return Number(cursor)
}
