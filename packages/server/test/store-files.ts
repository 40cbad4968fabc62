import { type Layout, layoutOf } from '../src/store/folder/layout.ts'
import { type SqliteFiles, sqliteFiles } from '../src/store/sqlite/files.ts'

/** Returns the paths of everything in a data folder, the files of the SQLite engine included. */
export function filesOf(data: string): Layout & SqliteFiles {
  const layout = layoutOf(data, { create: false })
  return { ...layout, ...sqliteFiles(layout) }
}
