import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Time without a change after which a folder without a job is removed: an upload without a byte ends much earlier. */
const staleMs = 600_000

/** Returns the folders of jobs in which nothing has changed for a while. */
export function listStale(folder: string): string[] {
  const beforeMs = Date.now() - staleMs
  const isOld = (path: string) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < beforeMs
  return namesIn(folder).filter(name => {
    const path = join(folder, name)
    return name.startsWith('job_') && isOld(path) && namesIn(path).every(file => isOld(join(path, file)))
  })
}

/** Returns the names in a folder; nothing if it is missing or a file. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
