import { parseLongJson } from '../../../kit/long-json.ts'
import type { ExamplePlace } from '../../../usecases/admin/find-example-places.ts'
import type { PresentContext } from '../../../versions/primitives/format.ts'
import type { RecordPresenters, VersionPair } from '../../version-pair.ts'

type Present = (version: RecordPresenters, place: ExamplePlace, context: PresentContext) => object | undefined

/** Presenters of the records of a place, by the names that differences have for them. */
const presentRecord: Readonly<Record<string, Present>> = {
  Location: ({ location }, { entry }, context) => location(entry, context),
  'Catalog location': ({ catalogLocation }, { entry }, context) => catalogLocation(entry, context),
  Review: ({ review: present }, { entry, review }, context) =>
    review && present(review, entry, { originalsOnly: false }, context),
}

/** Names of the records that a place has. */
export const recordNames = Object.keys(presentRecord)

/** Returns a record of a place in both versions as clients parse it, with all digits of its ids. */
export type PresentedRecords = (of: string, place: ExamplePlace) => readonly [before: unknown, after: unknown]

/** Returns a function that presents records; each is presented once. */
export function presentRecords(
  { before, after }: Pick<VersionPair, 'before' | 'after'>,
  publicUrl: string,
): PresentedRecords {
  const context = { publicUrl, locales: [] }
  const presented = new Map<string, readonly [unknown, unknown]>()
  return (of, place) => {
    const key = `${of} ${place.entry.id}`
    const present = (version: RecordPresenters) => {
      const record = presentRecord[of]?.(version, place, context)
      return record && parseLongJson(JSON.stringify(record))
    }
    const records = presented.get(key) ?? [present(before), present(after)]
    presented.set(key, records)
    return records
  }
}
