import { statfsSync } from 'node:fs'

const ramDisk = '/dev/shm'
const gb = 1024 ** 3
/** Free space that a RAM disk must have: ten times what all tests have at the same time. */
const minimumFreeBytes = 2 * gb
/** Memory that must be free, because the files are kept in it. */
const minimumMemoryBytes = 4 * gb

/**
 * Returns the folder for the temporary files of tests: a RAM disk if there is one with enough space, because tests sync
 * thousands of small files, and no test needs a real disk. Undefined for the default of the system.
 */
export function findTemporaryFolder(): string | undefined {
  if (process.availableMemory() < minimumMemoryBytes) return undefined
  try {
    const { bavail, bsize } = statfsSync(ramDisk)
    return bavail * bsize < minimumFreeBytes ? undefined : ramDisk
  } catch {
    return undefined
  }
}
