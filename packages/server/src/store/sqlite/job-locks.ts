import { join } from 'node:path'
import { holdLock, isLockHeld, neverLost } from '../folder/lock.ts'
import type { JobFolders, JobLocks, JobRole } from '../sql/jobs.ts'

/** Creates locks that are files in the folders of the jobs. */
export function createSqliteJobLocks({ pathOf }: JobFolders): JobLocks {
  const fileOf = (id: string, role: JobRole) => join(pathOf(id), `${role}-lock.sqlite`)
  return {
    hold: async (id, role) => {
      const lock = holdLock(fileOf(id, role), `Job ${id} is held by another process.`)
      return { lost: neverLost, release: async () => lock.release() }
    },
    isHeld: async (id, role) => isLockHeld(fileOf(id, role)),
  }
}
