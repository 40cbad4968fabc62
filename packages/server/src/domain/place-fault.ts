import type { Id } from './id.ts'

/** Members of the faults of places, by code (see AdminFaultFacts). */
export interface PlaceFaultFacts {
  location_unknown: { readonly location: Id }
  /** The location was merged into `survivor`. */
  location_merged: { readonly location: Id; readonly survivor: Id }
  /** The change requires a reason. */
  reason_required: object
  override_field_unknown: { readonly field: string; readonly fields: readonly string[] }
  /** `detail` is a user-facing message about the value. */
  override_invalid: { readonly field: string; readonly detail: string }
  /** The field of the location is not overridden. */
  override_unknown: { readonly location: Id; readonly field: string }
  override_changed: { readonly location: Id; readonly field: string; readonly revision: number }
  /** A location cannot be merged into itself or into one that was merged into it. */
  merge_circular: { readonly location: Id; readonly into: Id }
}
