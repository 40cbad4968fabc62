import { consolePage, type PageRoute } from '../../pages/page-route.ts'
import { eventsPage, redeliverEvent, setWebhookState } from './events.ts'
import { beginBackup, beginVerify, cancel, healthPage } from './health.ts'
import { homePage } from './home.ts'
import { offerPage } from './offer.ts'
import { ownWebhookPages } from './own-webhooks.ts'
import { settingsPage, testMail, testOidc } from './settings.ts'

const read = { method: 'GET', permission: 'system:read' } as const
const write = { method: 'POST', permission: 'system:write' } as const
const writeEvents = { method: 'POST', permission: 'webhooks:write' } as const

/** The service itself: what needs attention, health, offer, settings, events. */
export const systemPages: readonly PageRoute[] = [
  consolePage({ method: 'GET', path: '/', permission: 'partners:read', handler: homePage }),
  consolePage({ ...read, path: '/health', handler: healthPage }),
  consolePage({ ...write, path: '/health/backup', handler: beginBackup }),
  consolePage({ ...write, path: '/health/verify', handler: beginVerify }),
  consolePage({ ...write, path: '/health/cancel', handler: cancel }),
  consolePage({ ...read, path: '/offer', handler: offerPage }),
  consolePage({ ...read, path: '/settings', handler: settingsPage }),
  consolePage({ ...write, path: '/settings/test-mail', isCostly: () => true, handler: testMail }),
  consolePage({ ...write, path: '/settings/test-oidc', isCostly: () => true, handler: testOidc }),
  consolePage({ ...read, path: '/events', handler: eventsPage }),
  consolePage({ ...writeEvents, path: '/events/redeliver', handler: redeliverEvent }),
  consolePage({ ...writeEvents, path: '/events/state', handler: setWebhookState }),
  ...ownWebhookPages,
]
