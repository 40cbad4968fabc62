import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { JobFolders } from '../sql/jobs.ts'
import { namesIn } from './names-in.ts'

/** Time without a change after which a folder without a job is removed: an upload without a byte ends much earlier. */
const staleMs = 600_000

/** Opens the folders of jobs in a folder. */
export const createJobFolders = (folder: string): JobFolders => ({
  pathOf: id => join(folder, id),
  create: id => void mkdirSync(join(folder, id), { recursive: true }),
  remove: id => rmSync(join(folder, id), { recursive: true, force: true }),
  listStale: () => listStale(folder),
})

function listStale(folder: string): string[] {
  const beforeMs = Date.now() - staleMs
  const isOld = (path: string) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < beforeMs
  return namesIn(folder).filter(name => {
    const path = join(folder, name)
    return name.startsWith('job_') && isOld(path) && namesIn(path).every(file => isOld(join(path, file)))
  })
}
