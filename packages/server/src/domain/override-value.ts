import type { OverrideField, OverrideValue, PlaceRecord } from './override.ts'

/** Reads a value for a field as imports do; returns a user-facing message if it is not valid. */
export type OverrideReader = (
  field: OverrideField,
  value: unknown,
  place: PlaceRecord,
) => { readonly value: OverrideValue } | { readonly problem: string }
