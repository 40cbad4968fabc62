import type { LocationReader } from '../../domain/data-stores.ts'
import type { Fault } from '../../domain/fault.ts'
import type { Id } from '../../domain/id.ts'
import type { LocationEntry } from '../../domain/location.ts'
import { fullScope } from '../../domain/scope.ts'
import { getLocation } from './get-location.ts'

/** Returns a location of the complete catalog, regardless of the scope of the key. */
export const getCatalogLocation = (locations: LocationReader, id: Id): Promise<LocationEntry | Fault> =>
  getLocation(locations, fullScope, id)
