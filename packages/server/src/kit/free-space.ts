import { statfsSync } from 'node:fs'

/** Returns the space that is free for this user on the disk of a folder, in bytes. */
export function getFreeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
