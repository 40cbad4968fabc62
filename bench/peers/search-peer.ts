import type { SearchDocument } from '../../packages/server/src/search/index/document.ts'

/** Another way to search the same places, in process. */
export interface SearchPeer {
  readonly name: string
  begin(): void
  add(document: SearchDocument): void
  finish(): void
  /** Size on disk or in memory, in MB. */
  megabytes(): number
  /** Returns the ids of the first ten results. */
  search(text: string, geoOnly: boolean): readonly number[]
}
