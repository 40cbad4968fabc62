import Type, { type TSchema } from 'typebox'
import type { FeedName } from '../domain/feed.ts'
import { closedObject, dateTime, int64Id, optional } from '../versions/primitives/schema.ts'
import type { Version } from '../versions/version.ts'

const recordNames: Readonly<Record<FeedName, string>> = {
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

/**
 * Returns the JSON Schema (2020-12) of the lines of a feed in a version; without references to other documents.
 */
export function feedSchema(feed: FeedName, version: Version): object {
  const name = recordNames[feed]
  const { Tombstone, ...components } = {
    ...version.feedSchemas,
    Tombstone: tombstone(feed, version.feedSchemas[name]!),
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `A line of the feed ${feed} in version ${version.name}`,
    description: 'A record; in a delta, a record or the tombstone of a deleted record.',
    anyOf: [{ $ref: `#/$defs/${name}` }, { $ref: '#/$defs/Tombstone' }],
    $defs: { ...collectReferenced(name, components), Tombstone },
  }
}

function tombstone(feed: FeedName, record: TSchema): TSchema {
  const { id } = (record as unknown as { properties: { id: TSchema } }).properties
  return closedObject(
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

/** Returns a component and all components that it references, directly or indirectly, with adapted references. */
function collectReferenced(name: string, components: Readonly<Record<string, TSchema>>): Record<string, unknown> {
  const found = new Map<string, unknown>()
  const visit = (component: string) => {
    if (found.has(component)) return
    found.set(component, undefined)
    const text = JSON.stringify(components[component])
    found.set(component, JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')))
    for (const [, next] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) visit(next!)
  }
  visit(name)
  return Object.fromEntries(found)
}
