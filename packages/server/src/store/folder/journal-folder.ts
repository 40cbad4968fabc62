import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../../kit/replace-file.ts'

/** Name of the file in the journal folder that contains the id of the data folder. */
export const journalMarker = '.folder'

/** State of the journal folder. */
export type JournalReading =
  | { readonly state: 'missing' | 'damaged' }
  | {
      readonly state: 'intact'
      /** Id of the data folder that it belongs to; undefined without a readable marker. */
      readonly folderId: string | undefined
      readonly hasFiles: boolean
    }

/** Reads the marker of the journal folder, and looks for files of the journal. */
export function readJournalFolder(folder: string): JournalReading {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (!found) return { state: 'missing' }
  if (!found.isDirectory()) return { state: 'damaged' }
  const marker = join(folder, journalMarker)
  const folderId = existsSync(marker) ? readFileSync(marker, 'utf8').trim() : ''
  const hasFiles = readdirSync(folder).some(name => /^\d{8}\./.test(name))
  return { state: 'intact', folderId: folderId === '' ? undefined : folderId, hasFiles }
}

/** Creates the journal folder if it is missing, and marks it as belonging to a data folder. */
export function markJournalFolder(folder: string, folderId: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  replaceFile(join(folder, journalMarker), `${folderId}\n`)
}
