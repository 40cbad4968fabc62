import type { PageRoute } from '../pages/page-route.ts'
import { feedPages } from './feeds/pages.ts'
import { importPages } from './imports/pages.ts'
import { photoPages } from './photos/pages.ts'
import { placePages } from './places/pages.ts'
import { reviewPages } from './reviews/pages.ts'
import { suggestionPages } from './suggestions/pages.ts'
import { versionPages } from './versions/pages.ts'

/** The pages about the data: places, suggestions, reviews, photos, imports, feeds and versions. */
export const dataPages: readonly PageRoute[] = [
  ...placePages,
  ...suggestionPages,
  ...reviewPages,
  ...photoPages,
  ...importPages,
  ...feedPages,
  ...versionPages,
]
