import { type Layout, openLayout } from '../src/store/folder/layout.ts'
import { getSqliteFiles, type SqliteFiles } from '../src/store/sqlite/files.ts'

/** Returns the paths of all files in a data folder, including those of the SQLite engine. */
export function filesOf(data: string): Layout & SqliteFiles {
  const layout = openLayout(data)
  return { ...layout, ...getSqliteFiles(layout) }
}
