import { type Layout, layoutOf } from '../src/store/folder/layout.ts'
import { type SqliteFiles, sqliteFiles } from '../src/store/sqlite/files.ts'

/** Returns the paths of all files in a data folder, including those of the SQLite engine. */
export function filesOf(data: string): Layout & SqliteFiles {
  const layout = layoutOf(data, { create: false })
  return { ...layout, ...sqliteFiles(layout) }
}
