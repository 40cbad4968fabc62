import type { FeedName } from '../domain/feed.ts'
import type { TSchema } from '../kit/json-schema.ts'
import { recordNames, tombstoneSchema } from '../versions/feed-lines.ts'
import type { Version } from '../versions/version.ts'

/**
 * Returns the JSON Schema (2020-12) of the lines of a feed in a version; without references to other documents.
 */
export function feedSchema(feed: FeedName, version: Version): object {
  const name = recordNames[feed]
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `A line of the feed ${feed} in version ${version.name}`,
    description: 'A record; in a delta, a record or the tombstone of a deleted record.',
    anyOf: [{ $ref: `#/$defs/${name}` }, { $ref: '#/$defs/Tombstone' }],
    $defs: { ...collectReferenced(name, version.feedSchemas), Tombstone: tombstoneSchema(feed, version) },
  }
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
