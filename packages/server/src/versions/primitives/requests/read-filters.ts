import { type Fault, isFault } from '../../../domain/fault.ts'
import type { Filters, KindFilters } from '../../../domain/search.ts'
import type { Values } from '../param.ts'
import type { params } from './params.ts'
import { invalidParameters, toFieldError } from './read-args.ts'

type FilterValues = Pick<
  Values<typeof params.nearbyLocations>,
  'category' | 'category_id' | 'attribute' | 'status' | 'min_rating' | 'price_level' | 'open_now' | 'open_at'
>

/**
 * Returns the filters of search and nearby requests as members of the domain's queries; a fault if both `open_now` and
 * `open_at` were sent.
 */
export function toFilters(v: FilterValues, nowMs: number): Filters | Fault {
  const opening = toOpening(v, nowMs)
  if (isFault(opening)) return opening
  return {
    ...toKindFilters(v),
    ...(v.status.length > 0 && { statuses: v.status }),
    ...(v.min_rating !== undefined && { minRating: v.min_rating }),
    ...(v.price_level.length > 0 && { priceLevels: v.price_level }),
    ...opening,
  }
}

/** Returns the filters by categories and attributes, which autocomplete and recommendations have, too. */
export const toKindFilters = (
  v: Pick<FilterValues, 'category' | 'category_id' | 'attribute'>,
): Pick<Filters, KindFilters> => ({
  ...(v.category.length > 0 && { categories: v.category }),
  ...(v.category_id.length > 0 && { categoryIds: v.category_id }),
  ...(v.attribute.length > 0 && { attributes: v.attribute }),
})

function toOpening({ open_now: now, open_at: at }: FilterValues, nowMs: number): Filters | Fault {
  if (now !== undefined && at !== undefined) {
    const message = 'open_at cannot be combined with open_now; send one of them.'
    return invalidParameters([toFieldError('open_at', message), toFieldError('open_now', message)])
  }
  if (at === undefined) return now === true ? { openAtMs: nowMs } : {}
  return 'ms' in at ? { openAtMs: at.ms } : { openAtLocal: at.clock }
}
