import { isAdminFault } from '../../../domain/admin-fault.ts'
import type { TimeOrder } from '../../../domain/list-order.ts'
import type { LocationEntry } from '../../../domain/location.ts'
import { apiOverrideResource } from '../../../resources/place.ts'
import { collectPlaces } from '../../../usecases/admin/find-places.ts'
import { listOverrides } from '../../../usecases/admin/list-overrides.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { boundRows, collectRows, exportRows, maxExportedRows } from '../../shared/export.ts'
import { placeName } from '../../shared/places/place-words.ts'
import { readPlaceFilters, readText } from './place-query.ts'

const overridesPerRead = 500

/**
 * Returns the places of the list as a file, or with `?overridden=yes` the overrides; undefined while the search is not
 * available.
 */
export async function exportPlaces(
  { places, live }: ManagementContext,
  { query, actor }: PageRequest,
  order: TimeOrder,
  format: 'csv' | 'json',
): Promise<PageAnswer | undefined> {
  const filters = readPlaceFilters(query)
  if (query.overridden === 'yes') {
    const found = await collectRows<number>(async after => {
      const page = await listOverrides(places, actor, { ...filters, order, limit: overridesPerRead, after })
      return { rows: page.rows.map(({ override }) => apiOverrideResource(override)), next: page.next }
    })
    return isAdminFault(found) ? found : exportRows('overrides', format, found.rows, found.isCut)
  }
  const search = { ...filters, text: readText(query), offset: 0, limit: maxExportedRows + 1 }
  const found = await collectPlaces({ live, locations: places.locations }, actor, search, toRow)
  if (!found) return undefined
  const { rows, isCut } = boundRows(found)
  return exportRows('places', format, rows, isCut)
}

function toRow(entry: LocationEntry) {
  const location = entry.location()
  const { rating, count } = entry.ratings(location)?.overall ?? {}
  return {
    id: String(entry.id),
    name: placeName(location),
    category: entry.category,
    status: location.status?.value,
    in: location.geo,
    country: entry.country,
    ...location.coordinates,
    rating,
    ratings: count,
    source: entry.source,
  }
}
