import { chmod, copyFile } from 'node:fs/promises'

/**
 * Copies a file of a data folder or backup. Only its owner can access the copy, whatever the mode of the original is.
 */
export async function copyPrivately(from: string, to: string): Promise<void> {
  await copyFile(from, to)
  await chmod(to, 0o600)
}
