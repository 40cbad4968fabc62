import { isFile } from './snapshot-files.ts'

/** The folder in which builds read and change the snapshots of all editions. */
export interface FeedWorkspace {
  readonly root: string
  /** Returns true if a file of the folder exists; fetches its contents if they are elsewhere. */
  fetch(file: string): Promise<boolean>
  /** Makes all changes of the folder visible to readers, as one. */
  commit(): Promise<void>
}

/** Returns the workspace of a folder whose readers see each change at once. */
export const createLocalWorkspace = (root: string): FeedWorkspace => ({
  root,
  fetch: async file => isFile(file),
  commit: async () => {},
})
