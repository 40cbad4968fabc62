import { statSync } from 'node:fs'

/** Returns a text that differs for each file that is put in place; empty if there is no file. */
export function markOfFile(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats ? `${stats.ino} ${stats.mtimeMs} ${stats.size}` : ''
}
