/** Id of a location or review: an int64 above zero, never a double. */
export type Id = bigint

/** The largest id, 2^63 - 1. */
export const maxId: Id = 9223372036854775807n

/** The largest id that the service assigns itself. */
export const maxAssignedId: Id = 9007199254740991n

const decimal = /^\d{1,19}$/
const zero = 48
/** Number of digits that a double holds exactly. */
const safeDigits = 15

/** Parses a decimal int64 above zero; undefined for other text. */
export function parseId(text: string): Id | undefined {
  if (text.length > 0 && text.length <= safeDigits) return parseShort(text)
  if (!decimal.test(text)) return undefined
  const id = BigInt(text)
  return id > 0n && id <= maxId ? id : undefined
}

/** Parses a short id without BigInt(text), which is slower: a request may contain a hundred ids. */
function parseShort(text: string): Id | undefined {
  let value = 0
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - zero
    if (digit < 0 || digit > 9) return undefined
    value = value * 10 + digit
  }
  return value > 0 ? BigInt(value) : undefined
}
