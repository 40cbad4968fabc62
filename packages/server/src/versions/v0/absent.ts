/** v0 sent what was absent: null for a scalar (SPEC §9.5, last row). */
export const orNull = <T>(value: T | undefined): T | null => value ?? null

/** [] for a list. */
export const list = <T, U>(values: readonly T[] | undefined, present: (value: T) => U): U[] =>
  values === undefined ? [] : values.map(present)

/** {} for an object. */
export const orEmpty = <T, U>(value: T | undefined, present: (value: T) => U): U | Record<string, never> =>
  value === undefined ? {} : present(value)
