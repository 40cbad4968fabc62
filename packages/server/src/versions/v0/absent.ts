/** Returns null for an absent scalar: v0 does not omit absent values (SPEC §9.5, last row). */
export const orNull = <T>(value: T | undefined): T | null => value ?? null

/** Presents each element of a list; returns `[]` for an absent list. */
export const list = <T, U>(values: readonly T[] | undefined, present: (value: T) => U): U[] =>
  values === undefined ? [] : values.map(present)

/** Presents an object; returns `{}` for an absent one. */
export const orEmpty = <T, U>(value: T | undefined, present: (value: T) => U): U | Record<string, never> =>
  value === undefined ? {} : present(value)
