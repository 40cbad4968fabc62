import { readdirSync } from 'node:fs'

/** Returns the names in a folder; nothing if it is missing or a file. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
