import { auditRoutes } from './api/audit.ts'
import { eventRoutes } from './api/events.ts'
import { feedRoutes } from './api/feeds.ts'
import { importRoutes } from './api/imports.ts'
import { jobRoutes } from './api/jobs.ts'
import { keyLimitRoutes } from './api/key-limits.ts'
import { keySecretRoutes } from './api/key-secrets.ts'
import { keyRoutes } from './api/keys.ts'
import { locationRoutes } from './api/locations.ts'
import { partnerRoutes } from './api/partners.ts'
import { photoRoutes } from './api/photos.ts'
import { pinRoutes } from './api/pins.ts'
import { requestRoutes } from './api/requests.ts'
import { reviewScanRoutes } from './api/review-scans.ts'
import { reviewRoutes } from './api/reviews.ts'
import { suggestionRoutes } from './api/suggestions.ts'
import { systemRoutes } from './api/system.ts'
import { tokenRoutes } from './api/tokens.ts'
import { upgradeRoutes } from './api/upgrades.ts'
import { usageRoutes } from './api/usage.ts'
import { userRoutes } from './api/users.ts'
import { webhookRoutes } from './api/webhooks.ts'
import type { ApiRoute } from './route.ts'

/** THE route table of the admin API. */
export const apiRoutes: readonly ApiRoute[] = [
  ...partnerRoutes,
  ...keyRoutes,
  ...keySecretRoutes,
  ...keyLimitRoutes,
  ...pinRoutes,
  ...upgradeRoutes,
  ...usageRoutes,
  ...requestRoutes,
  ...auditRoutes,
  ...userRoutes,
  ...tokenRoutes,
  ...systemRoutes,
  ...webhookRoutes,
  ...eventRoutes,
  ...importRoutes,
  ...jobRoutes,
  ...feedRoutes,
  ...locationRoutes,
  ...suggestionRoutes,
  ...reviewRoutes,
  ...photoRoutes,
  ...reviewScanRoutes,
]

/** Path below which the admin API is served. */
export const apiPath = '/admin/v1'
