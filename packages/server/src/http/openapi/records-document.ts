import { type FeedName, feedNames } from '../../domain/feed.ts'
import { recordNames, tombstoneSchema } from '../../versions/feed-lines.ts'
import type { Version } from '../../versions/version.ts'
import { createInfo, type DocumentSettings, toJsonDocument } from './parts.ts'

/**
 * Returns the OpenAPI 3.1 document of a version that is delivered in feeds only (SPEC §9.1.8): the schemas of its
 * records and of their tombstones, without operations.
 */
export function createRecordsDocument(version: Version, settings: DocumentSettings): Readonly<Record<string, unknown>> {
  const records = [...new Set(Object.values(recordNames))]
  const feedOf = (record: string): FeedName => feedNames.find(feed => recordNames[feed] === record)!
  const tombstones = records.map(record => [`${record}Tombstone`, tombstoneSchema(feedOf(record), version)])
  const lines = records.map(record => [
    `${record}Line`,
    {
      description: `A line of the feeds ${feedNames.filter(feed => recordNames[feed] === record).join(' and ')}: a record; in a delta, a record or the tombstone of a deleted record.`,
      anyOf: [{ $ref: `#/components/schemas/${record}` }, { $ref: `#/components/schemas/${record}Tombstone` }],
    },
  ])
  return toJsonDocument({
    openapi: '3.1.0',
    info: createInfo(
      {
        title: 'Periplus feed records',
        version: version.name,
        description: introduction(version.name, settings.publicUrl),
      },
      settings,
    ),
    servers: [{ url: settings.publicUrl }],
    paths: {},
    components: { schemas: { ...Object.fromEntries([...lines, ...tombstones]), ...version.feedSchemas } },
  })
}

const introduction = (name: string, publicUrl: string): string =>
  `Version ${name} of the partner interface is retired: requests with \`version=${name}\` get 410 Gone. Feeds of keys that are
pinned to it are still delivered, and this document describes their records. The operations that deliver feeds are in
[the document of the feeds](${publicUrl}/openapi/feeds.json); the schema of one line is also at
\`${publicUrl}/feeds/schemas/{feed}-${name}.schema.json\`. Ids are 64-bit integers; members without a value are null, \`[]\` or \`{}\`.`
