import { adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import { feedNames } from '../../domain/feed.ts'
import { Type } from '../../kit/json-schema.ts'
import { feedSnapshotResource, feedSnapshotSchema } from '../../resources/feed-snapshot.ts'
import { closedObject, enteredText } from '../../resources/schema.ts'
import { listSnapshots } from '../../usecases/admin/list-snapshots.ts'
import { withdrawSnapshot } from '../../usecases/admin/withdraw-snapshot.ts'
import { pageOf, pageQuery, toPage } from '../page.ts'
import { apiRoute } from '../route.ts'

const version = (description: string) => Type.String({ description, examples: ['1'] })

/** `/feeds/{feed}/snapshots` of the admin API. */
export const feedRoutes = [
  apiRoute({
    method: 'GET',
    path: '/feeds/:feed/snapshots',
    operation: 'listSnapshots',
    summary: 'Lists the available snapshots of a feed by version, oldest first.',
    permission: 'system:read',
    query: closedObject({ ...pageQuery, version: Type.Optional(version('Only snapshots in this version.')) }),
    response: pageOf(feedSnapshotSchema),
    handler: async ({ work }, { actor, params, query }) => {
      const feed = feedNames.find(name => name === params.feed)
      if (!feed) return adminFault('feed_unknown', ['feed'], { feed: params.feed!, feeds: feedNames })
      const { manifests } = await listSnapshots(work, actor, { feeds: [feed] })
      const found = manifests.filter(one => query.version === undefined || one.version === query.version)
      const position = (one: { version: string; sequence: number }) =>
        `${one.version.padStart(4, '0')} ${String(one.sequence).padStart(12, '0')}`
      const { data, next } = toPage(found, position, query)
      return { body: { data: data.map(feedSnapshotResource), next } }
    },
  }),
  apiRoute({
    method: 'GET',
    path: '/feeds/:feed/snapshots/:id',
    operation: 'getSnapshot',
    summary: 'Returns an available snapshot of a feed.',
    permission: 'system:read',
    query: closedObject({ version: version('Version of the snapshot.') }),
    response: feedSnapshotSchema,
    handler: async ({ work }, { actor, params, query }) => {
      const feed = feedNames.find(name => name === params.feed)
      if (!feed) return adminFault('feed_unknown', ['feed'], { feed: params.feed!, feeds: feedNames })
      const { manifests } = await listSnapshots(work, actor, { feeds: [feed] })
      const found = manifests.find(one => one.version === query.version && one.snapshot_id === params.id)
      if (found) return { body: feedSnapshotResource(found) }
      return adminFault('snapshot_unknown', ['id'], { feed, version: query.version, snapshot: params.id! })
    },
  }),
  apiRoute({
    method: 'DELETE',
    path: '/feeds/:feed/snapshots/:id',
    operation: 'withdrawSnapshot',
    summary: 'Withdraws a snapshot: its downloads return 410. A snapshot never changes, so If-Match is not required.',
    permission: 'feeds:write',
    ifMatch: false,
    query: closedObject({
      version: version('Version of the snapshot.'),
      reason: enteredText('reason', 'Reason of the withdrawal, for colleagues.'),
    }),
    handler: async ({ work }, { actor, params, query }) => {
      const input = { feed: params.feed!, snapshotId: params.id!, version: query.version, reason: query.reason }
      const withdrawn = await withdrawSnapshot(work, actor, input)
      return isAdminFault(withdrawn) ? withdrawn : { body: {} }
    },
  }),
]
