import type { FeedName } from '../domain/feed.ts'
import { dateTime, type TSchema, Type } from '../kit/json-schema.ts'
import { int64Id, object, optional } from './primitives/schema.ts'
import type { Version } from './version.ts'

/** Name of the record component of each feed. */
export const recordNames: Readonly<Record<FeedName, string>> = {
  locations: 'Location',
  geos: 'Location',
  reviews: 'Review',
  enums: 'EnumValue',
}

const reasons: Readonly<Record<FeedName, readonly string[]>> = {
  locations: ['removed', 'merged', 'erased'],
  geos: ['removed', 'merged', 'erased'],
  reviews: ['removed', 'erased'],
  enums: ['removed'],
}

/** Returns the schema of the line of a deleted record in a delta. */
export function tombstoneSchema(feed: FeedName, { feedSchemas }: Version): TSchema {
  const { id } = (feedSchemas[recordNames[feed]] as unknown as { properties: { id: TSchema } }).properties
  return object(
    {
      op: Type.Literal('delete', {
        description: 'Distinguishes a tombstone from a record, which does not have this member.',
      }),
      id,
      reason: Type.Enum([...reasons[feed]], { type: 'string', description: 'Reason for the deletion.' }),
      ...(reasons[feed].includes('merged') && {
        merged_into: optional(int64Id('Id of the location that it was merged into.')),
      }),
      at: dateTime('Time of the deletion.'),
    },
    'A deleted record.',
  )
}
