import type { ChangeRecord } from './change-record.ts'
import type { Id } from './id.ts'
import type { ListOrders, ListPart, ListSpan } from './list-order.ts'
import type { LocationEntry } from './location.ts'
import type { OverrideField } from './override.ts'
import type { Visibility } from './visibility.ts'

/** The fields of a place that a suggestion of each kind changes. */
export const suggestedFields = {
  closed: ['status'],
  moved: ['address', 'coordinates'],
  duplicate: [],
  position: ['coordinates'],
  name: ['names'],
  address: ['address'],
  phone: ['phones'],
  website: ['urls'],
  hours: ['hours'],
  other: [],
} as const satisfies Readonly<Record<string, readonly OverrideField[]>>
export type SuggestionKind = keyof typeof suggestedFields
export const suggestionKinds = Object.keys(suggestedFields) as SuggestionKind[]

export const suggestionStates = ['open', 'accepted', 'rejected'] as const
export type SuggestionState = (typeof suggestionStates)[number]

/** New values by field, in the form of imported records. */
export type SuggestedValues = Readonly<Partial<Record<OverrideField, unknown>>>

/** A change of a place that a user of a partner suggests, and the operator accepts or rejects. */
export interface Suggestion {
  readonly id: string
  readonly locationId: Id
  readonly partnerId: string
  readonly kind: SuggestionKind
  readonly values: SuggestedValues
  /** The place that describes the same one; only of the kind `duplicate`. */
  readonly duplicateOf?: Id
  /** Text of the user. */
  readonly comment?: string
  readonly state: SuggestionState
  /** Id of the user who made it. */
  readonly by: string
  /** In milliseconds since 1970. */
  readonly createdMs: number
  readonly decidedBy?: string
  readonly decidedMs?: number
  /** Text of the operator for the user. */
  readonly reason?: string
  /** Counts the changes of the suggestion, from 1. */
  readonly revision: number
}

/** A suggestion with the place that it would change. */
export interface SuggestedPlace {
  readonly suggestion: Suggestion
  /** The stored location, or the survivor of a merged one; missing for a removed one. */
  readonly entry: LocationEntry | undefined
}

/** The end of an open suggestion. */
export interface SuggestionDecision {
  readonly state: Exclude<SuggestionState, 'open'>
  readonly by: string
  readonly atMs: number
  readonly reason?: string | undefined
}

/** The orders of suggestions: by creation, kind, partner, state, and decision. */
export const suggestionOrders = {
  first: { created: 'desc', kind: 'asc', partner: 'asc', state: 'asc', decided: 'desc' },
  byDefault: { by: 'created', isDescending: true },
} as const satisfies ListOrders
export type SuggestionOrder = keyof typeof suggestionOrders.first

/** Selects a part of the suggestions. */
export interface SuggestionSpan extends ListSpan<SuggestionOrder> {
  readonly states?: readonly SuggestionState[] | undefined
  readonly kind?: SuggestionKind | undefined
  readonly partnerId?: string | undefined
  readonly locationId?: Id | undefined
}

/** Suggestions of users. They are removed with the user who made them. */
export interface SuggestionStore {
  /**
   * Stores an open suggestion. Refuses one if the user has an open one of its place and kind (`repeated`), or `maxOpen`
   * open ones (`too_many`).
   */
  create(suggestion: Suggestion, maxOpen: number, record: ChangeRecord): Promise<'created' | 'repeated' | 'too_many'>
  get(id: string, visibility: Visibility): Promise<Suggestion | undefined>
  /** Returns a part of the suggestions in an order. */
  part(visibility: Visibility, span: SuggestionSpan): Promise<ListPart<Suggestion>>
  /** Ends an open suggestion; returns undefined if it has ended, or has another revision. */
  decide(
    id: string,
    expectedRevision: number,
    decision: SuggestionDecision,
    record: ChangeRecord,
  ): Promise<Suggestion | undefined>
}
