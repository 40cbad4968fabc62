import { topLevelCategories } from '../../../domain/category.ts'
import { statusValues } from '../../../domain/location.ts'
import type { PlaceFilters } from '../../../usecases/admin/find-places.ts'
import type { PageRequest } from '../../pages/page-route.ts'

/** Maximum length of a text that is searched; the rest is ignored. */
const maxTextLength = 500

/** Reads the filters of the list of places; an unknown category or status is left out. */
export const readPlaceFilters = ({ category, status, source }: PageRequest['query']): PlaceFilters => ({
  category: topLevelCategories.find(name => name === category),
  status: statusValues.find(name => name === status),
  source,
})

/** Reads the text that the list of places is searched for. */
export const readText = ({ q }: PageRequest['query']): string | undefined => q?.slice(0, maxTextLength)
