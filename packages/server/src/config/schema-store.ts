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
