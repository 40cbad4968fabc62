import { Type } from '../kit/json-schema.ts'

/** The value for stores in files of the data folder. */
export const folderStore = 'folder'

const databaseUrl = 'postgres(ql)?://[^/\\s]+/[^/\\s?]+(\\?\\S*)?'

/** Setting of the stores. */
export const storeSetting = Type.String({
  default: folderStore,
  pattern: `^(folder|${databaseUrl})$`,
  examples: [folderStore, 'postgres://periplus@db.internal/periplus'],
  description:
    'Place of all stores: folder (files in the data folder), or the URL of a PostgreSQL 15 database. The password ' +
    'comes from PGPASSWORD or the pass file of PostgreSQL.',
})

/** Setting of the files that all nodes of a database share. */
export const blobsSetting = Type.Optional(
  Type.String({
    minLength: 1,
    examples: ['s3://periplus/eu?endpoint=https://s3.internal', '/srv/periplus-blobs'],
    description:
      'Place of the files that all nodes of a database share, such as feeds: a bucket of an S3 store, or a folder on ' +
      'shared storage. Without it they are in the data folder. Credentials come from the environment.',
  }),
)

/** Setting of the replicas that requests read from. */
export const storeReplicasSetting = Type.Array(Type.String({ pattern: `^${databaseUrl}$` }), {
  default: [],
  examples: [['postgres://periplus@replica.internal/periplus']],
  description:
    'URLs of streaming replicas of the database. Requests read places and reviews from one of them while it is at ' +
    'most 5 s behind; keys, limits and usage always come from the primary.',
})

/** Setting of the time without the database after which a service refuses calls. */
export const storeMaxStaleSetting = Type.Integer({
  minimum: 60,
  default: 3600,
  description:
    'Seconds for which a service answers from memory while it cannot read from the database which keys and places ' +
    'have changed. Afterwards it refuses calls and is not ready.',
})
