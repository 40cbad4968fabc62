import type { Actor } from './actor.ts'
import type { TopLevelCategory } from './category.ts'
import type { Id } from './id.ts'
import type { Location, ScopeFacts } from './location.ts'

/** Fields of locations that an operator can override, and the member of the canonical location that each one sets. */
export const overrideMembers = {
  names: 'names',
  status: 'status',
  coordinates: 'coordinates',
  category: 'categories',
  address: 'addresses',
  phones: 'phoneNumbers',
  urls: 'urls',
  hours: 'openingHours',
  price_level: 'priceLevel',
} as const satisfies Readonly<Record<string, keyof Location>>
export type OverrideField = keyof typeof overrideMembers
export const overrideFields = Object.keys(overrideMembers) as OverrideField[]

/** The name under which the merge of a location by an operator is stored, next to its overridden fields. */
export const mergeField = 'merged_into' as const

/** The name under which the removal of a location by an operator is stored. */
export const removalField = 'removed' as const

/** The decisions about a location as a whole; while one is in force, imports change only what `lift` restores. */
export const wholeFields = [mergeField, removalField] as const
export type WholeField = (typeof wholeFields)[number]

/** Returns true for the name of a decision about a location as a whole. */
export const isWholeField = (field: string): field is WholeField => (wholeFields as readonly string[]).includes(field)

/** Value of an overridden member. */
export type OverrideValue = NonNullable<Location[(typeof overrideMembers)[OverrideField]]>

/** A value that wins over imports until it is lifted. */
export interface Override {
  readonly locationId: Id
  readonly field: OverrideField | WholeField
  /** The canonical value; of a merge, the id of the survivor as text; of a removal, `removed`. */
  readonly value: OverrideValue | string
  /** The last imported value; missing if the source has none. Missing for a merge or removal in all cases. */
  readonly imported?: OverrideValue
  readonly reason: string
  readonly actor: Actor
  readonly atMs: number
  /** Differs after each change. */
  readonly revision: number
}

/** A location as imports deliver it. */
export interface PlaceRecord {
  readonly location: Location
  readonly facts: ScopeFacts
}

/** The imported value of a field, and the member for scopes that depends on it. */
export interface ImportedValue {
  readonly value: OverrideValue | null
  /** Country of an address, or top-level category. */
  readonly fact: string | null
}

/** Returns the value that a record has for a field. */
export const readField = ({ location, facts }: PlaceRecord, field: OverrideField): ImportedValue => ({
  value: location[overrideMembers[field]] ?? null,
  fact: (field === 'address' ? facts.country : field === 'category' ? facts.category : undefined) ?? null,
})

/** Returns a record with another value of a field. */
export function writeField({ location, facts }: PlaceRecord, field: OverrideField, cell: ImportedValue): PlaceRecord {
  const member = overrideMembers[field]
  const { [member]: _, ...others } = location
  const changed = (cell.value === null ? others : { ...location, [member]: cell.value }) as Location
  return { location: changed, facts: writeFact(facts, field, cell.fact) }
}

function writeFact(facts: ScopeFacts, field: OverrideField, fact: string | null): ScopeFacts {
  if (field === 'category' && fact !== null) return { ...facts, category: fact as TopLevelCategory }
  if (field !== 'address') return facts
  const { country: _, ...others } = facts
  return fact === null ? others : { ...others, country: fact }
}

/** Returns the cell of a new value of a field. An address without a country keeps the imported one. */
export function cellOf(field: OverrideField, value: OverrideValue, imported: ImportedValue): ImportedValue {
  if (field === 'category') return { value, fact: (value as Location['categories'])[0]!.topLevelCategory }
  if (field !== 'address') return { value, fact: null }
  const country = (value as NonNullable<Location['addresses']>).find(one => one.countryCode !== undefined)?.countryCode
  return { value, fact: country ?? imported.fact }
}
