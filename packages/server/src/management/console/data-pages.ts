import type { PageRoute } from '../pages/page-route.ts'
import { importPages } from './imports/pages.ts'
import { placePages } from './places/pages.ts'
import { reviewPages } from './reviews/pages.ts'

/** The pages about the data: places, reviews and imports. */
export const dataPages: readonly PageRoute[] = [...placePages, ...reviewPages, ...importPages]
