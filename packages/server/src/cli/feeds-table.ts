import type { FeedPullResource } from '../resources/feed-pull.ts'
import type { FeedBuildResource } from '../resources/feed-snapshot.ts'
import { textTable } from './print.ts'

const columns = ['feed', 'version', 'snapshot', 'kind', 'records', 'upserts', 'tombstones', 'bytes', 'seconds']

type FeedRow = FeedBuildResource['built'][number] | FeedPullResource['pulled'][number]

/** Formats built or pulled feeds with their counts, sizes and durations. */
export const feedTable = (feeds: readonly FeedRow[]): string =>
  textTable(
    columns,
    feeds.map(one => [
      one.feed,
      one.version,
      one.snapshot_id,
      one.kind,
      one.records,
      one.upserts,
      one.tombstones,
      one.bytes,
      one.seconds.toFixed(2),
    ]),
  )
