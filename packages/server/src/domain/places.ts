import type { Actor } from './actor.ts'
import type { ChangeRecord } from './change-record.ts'
import type { Id } from './id.ts'
import type { TimeOrder } from './list-order.ts'
import type { Override, OverrideField, OverrideValue, WholeField } from './override.ts'

/** A change of a place by an operator. */
export interface PlaceDecision {
  readonly id: Id
  readonly reason: string
  readonly actor: Actor
}

/** A value for a field. */
export interface NewOverride extends PlaceDecision {
  readonly field: OverrideField
  readonly value: OverrideValue
  /** Refuses the change if the field has another revision; 0 for a field that is not overridden. */
  readonly expectedRevision?: number | undefined
}

/** The reason why a place was not changed. `changed`: the expected revision is not the current one. */
export type PlaceRefusal = 'unknown' | 'merged' | 'changed' | 'circular' | 'unknown_target'

/**
 * Decisions of operators about places, which win over imports until they are lifted. Each changes what is served within
 * a second: it is in the change log.
 */
export interface PlaceDecisions {
  /** Returns the overrides of a location, a merge or removal included. */
  of(id: Id): Promise<Override[]>
  /** Lists overrides, newest first by default; `after` is the revision of the last one of the previous page. */
  list(query: {
    readonly order?: TimeOrder | undefined
    readonly limit: number
    readonly after?: number | undefined
  }): Promise<Override[]>
  override(change: NewOverride, record: ChangeRecord): Promise<Override | PlaceRefusal>
  /** Merges a location into another one, to which its reviews are moved. */
  merge(change: PlaceDecision & { readonly into: Id }, record: ChangeRecord): Promise<Override | PlaceRefusal>
  /** Removes a location and its reviews. Imports do not restore it. */
  remove(change: PlaceDecision, record: ChangeRecord): Promise<Override | 'unknown' | 'merged'>
  /** Restores the last imported value; a merged or removed place exists again, without its reviews. */
  lift(
    id: Id,
    field: OverrideField | WholeField,
    expectedRevision: number | undefined,
    record: ChangeRecord,
  ): Promise<Override | 'unknown' | 'changed'>
}
