import type { Change } from '../../domain/change.ts'
import type { Id } from '../../domain/id.ts'
import { bulkChanges } from '../index/bulk-changes.ts'
import { type DocumentSource, documentOf, type SearchDocument } from '../index/document.ts'

/** Number of changed places from which the index waits for a new file. */
export const bulkPlaces = 5000

/** Changed places that are read in one turn of the event loop; takes a few milliseconds. */
const placesPerTurn = 50

/** Returns the ids of the places in a list of changes. */
export const placesOf = (changes: readonly Change[]): ReadonlySet<Id> =>
  new Set(changes.filter(({ kind }) => kind === 'location').map(({ id }) => id))

/** Returns true if there are so many changes that an import probably brings a new index file. */
export const isBulk = (changes: readonly Change[]): boolean =>
  changes.length === bulkChanges || placesOf(changes).size > bulkPlaces

/** Current state of changed places: the documents of those that exist, and the ids of all others. */
export interface ChangedPlaces {
  readonly upserts: readonly SearchDocument[]
  readonly deletes: readonly Id[]
}

/** Reads the current state of changed places. */
export async function readPlaces(
  ids: ReadonlySet<Id>,
  readEntry: (id: Id) => Promise<DocumentSource | undefined>,
): Promise<ChangedPlaces> {
  const upserts: SearchDocument[] = []
  const deletes: Id[] = []
  let read = 0
  for (const id of ids) {
    // A store may answer within the same turn of the event loop.
    if (++read % placesPerTurn === 0) await new Promise(nextTurn => setImmediate(nextTurn))
    const entry = await readEntry(id)
    if (entry?.id === id) upserts.push(documentOf(entry))
    else deletes.push(id)
  }
  return { upserts, deletes }
}
