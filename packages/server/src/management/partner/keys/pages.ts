import { keyChangePages } from './change.ts'
import { keyDetailPage } from './detail.ts'
import { keyListPage } from './list.ts'
import { keyCreationPages } from './new.ts'
import { keyRotationPages } from './rotate.ts'

/** All pages of keys. */
export const keyPages = [keyListPage, ...keyCreationPages, keyDetailPage, ...keyChangePages, ...keyRotationPages]
