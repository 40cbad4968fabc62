/** The aspects of a visit that a review can mention. */
export const aspects = [
  'collection',
  'building',
  'nature',
  'animals',
  'view',
  'queue',
  'guide',
  'family',
  'romantic',
  'rain',
  'price',
  'access',
  'clean',
  'staff',
  'atmosphere',
  'location',
] as const
export type Aspect = (typeof aspects)[number]

/** Phrases for each mood of a review: 4 and 5 are good, 3 is mixed, 1 and 2 are bad. */
export interface Moods {
  readonly good: readonly string[]
  readonly mixed: readonly string[]
  readonly bad: readonly string[]
}
export type Mood = keyof Moods

export interface Sides {
  readonly good: readonly string[]
  readonly bad: readonly string[]
}

/**
 * All phrases of one language. Slots: {place} is the name, {few} and {many} are minutes, {hours} is a small number of
 * hours (at least 2), {age} is a child's age.
 */
export interface Phrases {
  readonly titles: Moods
  readonly openers: Moods
  readonly closers: Moods
  readonly trips: Readonly<Record<'BUSINESS' | 'COUPLES' | 'FAMILY' | 'FRIENDS' | 'SOLO', readonly string[]>>
  readonly aspects: Readonly<Record<Aspect, Sides>>
  readonly replies: Sides
  /** Note at the end of every text that it is generated. */
  readonly note: string
  readonly replyNote: string
  /** Separator between two sentences. */
  readonly gap: string
}
