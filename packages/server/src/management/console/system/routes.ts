import { consolePage, type PageRoute } from '../../pages/page-route.ts'
import { beginBackup, beginVerify, cancel, healthPage } from './health.ts'
import { homePage } from './home.ts'

const read = { method: 'GET', permission: 'system:read' } as const
const write = { method: 'POST', permission: 'system:write' } as const

/** The service itself: what needs attention, health, offer, settings, events. */
export const systemPages: readonly PageRoute[] = [
  consolePage({ method: 'GET', path: '/', permission: 'partners:read', handler: homePage }),
  consolePage({ ...read, path: '/health', handler: healthPage }),
  consolePage({ ...write, path: '/health/backup', handler: beginBackup }),
  consolePage({ ...write, path: '/health/verify', handler: beginVerify }),
  consolePage({ ...write, path: '/health/cancel', handler: cancel }),
]
