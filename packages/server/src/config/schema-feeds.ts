import { feedNames } from '../domain/feed.ts'
import { Type } from '../kit/json-schema.ts'
import { section } from './section.ts'

/** Settings of the section `feeds`. */
export const feedsSettings = Type.Object(
  {
    schedule: Type.Enum(['auto', 'manual'], {
      default: 'auto',
      description: 'auto: the service builds feeds when they are due; manual: only `periplus feeds build` does.',
    }),
    fullEveryHours: Type.Integer({
      minimum: 1,
      default: 168,
      description: 'Maximum age of the latest full snapshot, in hours.',
    }),
    deltaEveryHours: Type.Integer({
      minimum: 1,
      default: 24,
      description: 'Maximum age of the latest snapshot, in hours.',
    }),
    keepFullDays: Type.Integer({
      minimum: 1,
      default: 28,
      description: 'Days for which full snapshots are kept; the latest is always kept.',
    }),
    keepDeltaDays: Type.Integer({ minimum: 1, default: 35, description: 'Days for which deltas are kept.' }),
    encoding: Type.Enum(['zstd', 'gzip'], { default: 'zstd', description: 'Compression of feed files.' }),
    parquet: Type.Array(Type.Enum([...feedNames], { examples: ['locations'] }), {
      default: [],
      description: 'Feeds whose full snapshots are published as GeoParquet, too (R-166).',
    }),
    partMb: Type.Integer({
      minimum: 1,
      maximum: 128,
      default: 128,
      description: 'Maximum size of one feed file, in MB.',
    }),
    parallelDownloads: Type.Integer({
      minimum: 1,
      default: 4,
      description: 'Maximum number of concurrent downloads per key.',
    }),
    snapshotsPerDay: Type.Integer({
      minimum: 1,
      default: 50,
      description: 'Maximum number of distinct snapshots that a key may download in a rolling 24 hours.',
    }),
    endedVersions: Type.Array(Type.String({ examples: ['0'] }), {
      default: [],
      description: 'Versions in which feeds are no longer built or delivered.',
    }),
  },
  section('Bulk delivery (R-45).'),
)
