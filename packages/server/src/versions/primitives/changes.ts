import { type PlaceChange, placeChangeTypes } from '../../domain/place-change.ts'
import { dateTime } from '../../kit/json-schema.ts'
import { toLongJson } from '../../kit/long-json.ts'
import type { Json } from '../version.ts'
import { formatTimestamp } from './format.ts'
import { boolean, data, int64Id, object, oneOf, optional, ref, string } from './schema.ts'

/** Presents a change of a location; the same in all versions. */
export const presentChange = ({ id, type, mergedInto, atMs }: PlaceChange): Json => ({
  id: toLongJson(id),
  type,
  merged_into: mergedInto && toLongJson(mergedInto),
  changed_ts: formatTimestamp(atMs),
})

const LocationChange = object(
  {
    id: int64Id('Id of the location.'),
    type: oneOf(
      placeChangeTypes,
      'What happened: `location.changed` for new and changed locations, `location.closed`, `location.merged` or `location.removed`.',
    ),
    merged_into: optional(int64Id('Id of the location that it was merged into.')),
    changed_ts: dateTime('Time of the change.'),
  },
  'The latest change of a location.',
)

/** Components of the list of changes. */
export const changeComponents = {
  LocationChange,
  ChangesResponse: object({
    data: data(ref('LocationChange')),
    cursor: string('The value of `since` that continues this list.'),
    has_more: boolean('True if there are further changes; the next answer has them.'),
  }),
}
