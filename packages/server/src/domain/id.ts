/** Identifiers of locations and reviews: any int64 above zero, held as bigint and never as a double. */
export type Id = bigint

/** The largest id, 2^63 - 1. */
export const maxId: Id = 9223372036854775807n

/** Ids that the service gives itself stay below this. */
export const maxAssignedId: Id = 9007199254740991n

const decimal = /^\d{1,19}$/

/** Reads a decimal int64 above zero; undefined for anything else. */
export function parseId(text: string): Id | undefined {
  if (!decimal.test(text)) return undefined
  const id = BigInt(text)
  return id > 0n && id <= maxId ? id : undefined
}
