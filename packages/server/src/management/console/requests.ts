import { consolePage } from '../pages/page-route.ts'
import { requestDetailsPage } from '../shared/request-details.ts'
import { requestsPage } from '../shared/requests.ts'

/** The recent calls of all partners, and the explanation of each. */
export const consoleRequestPages = [
  consolePage({ method: 'GET', path: '/requests', permission: 'log:read', handler: requestsPage }),
  consolePage({ method: 'GET', path: '/requests/:id', permission: 'log:read', handler: requestDetailsPage }),
]
