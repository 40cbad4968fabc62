import type { SearchDocument } from '../../packages/server/src/search/index/document.ts'

/** Another way to search the same places, in process. */
export interface SearchPeer {
  readonly name: string
  begin(): void
  add(document: SearchDocument): void
  finish(): void
  /** On disk or in memory, wherever it lives. */
  megabytes(): number
  /** Ids of the first ten. */
  search(text: string, geoOnly: boolean): readonly number[]
}
