import { consolePage } from '../../pages/page-route.ts'
import { liftFieldPage, overrideFieldPage, placeFieldPage } from './place-field.ts'
import { placeListPage } from './place-list.ts'
import { mergePlacePage, placeMergePage } from './place-merge.ts'
import { placePage } from './place-page.ts'
import { placeRemovalPage, removePlacePage } from './place-removal.ts'

const [read, change] = [
  { method: 'GET', permission: 'system:read' },
  { method: 'POST', permission: 'places:write' },
] as const

/** Places: search, the state of each field, overrides, merges and removals. */
export const placePages = [
  consolePage({ ...read, path: '/places', handler: placeListPage }),
  consolePage({ ...read, path: '/places/:id', handler: placePage }),
  consolePage({ ...change, method: 'GET', path: '/places/:id/fields/:field', handler: placeFieldPage }),
  consolePage({ ...change, path: '/places/:id/fields/:field', handler: overrideFieldPage }),
  consolePage({ ...change, path: '/places/:id/fields/:field/lift', handler: liftFieldPage }),
  consolePage({ ...change, method: 'GET', path: '/places/:id/merge', handler: placeMergePage }),
  consolePage({ ...change, path: '/places/:id/merge', handler: mergePlacePage }),
  consolePage({ ...change, method: 'GET', path: '/places/:id/remove', handler: placeRemovalPage }),
  consolePage({ ...change, path: '/places/:id/remove', handler: removePlacePage }),
]
