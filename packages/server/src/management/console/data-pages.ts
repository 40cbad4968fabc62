import type { PageRoute } from '../pages/page-route.ts'
import { placePages } from './places/pages.ts'
import { reviewPages } from './reviews/pages.ts'

/** The pages about the data: places and reviews. */
export const dataPages: readonly PageRoute[] = [...placePages, ...reviewPages]
