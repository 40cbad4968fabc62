import { Type } from '../kit/json-schema.ts'

/** The value for stores in files of the data folder. */
export const folderStore = 'folder'

/** Setting of the stores. */
export const storeSetting = Type.String({
  default: folderStore,
  pattern: '^(folder|postgres(ql)?://[^/\\s]+/[^/\\s?]+(\\?\\S*)?)$',
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
