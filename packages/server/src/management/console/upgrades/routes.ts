import { consolePage, type PageRoute } from '../../pages/page-route.ts'
import { approve, decline, upgradePage } from './decide.ts'
import { upgradesPage } from './list.ts'

const decide = { method: 'POST', permission: 'requests:decide' } as const

/** Upgrade requests of partners. */
export const upgradePages: readonly PageRoute[] = [
  consolePage({ method: 'GET', path: '/upgrades', permission: 'partners:read', handler: upgradesPage }),
  consolePage({ method: 'GET', path: '/upgrades/:id', permission: 'partners:read', handler: upgradePage }),
  consolePage({ ...decide, path: '/upgrades/:id/approve', handler: approve }),
  consolePage({ ...decide, path: '/upgrades/:id/decline', handler: decline }),
]
