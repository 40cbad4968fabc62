import { partnerPage } from '../pages/page-route.ts'
import { requestDetailsPage } from '../shared/request-details.ts'
import { requestsPage } from '../shared/requests.ts'

/** The recent calls of a partner, and the explanation of each. */
export const requestPages = [
  partnerPage({ method: 'GET', path: '/requests', permission: 'own:read', handler: requestsPage }),
  partnerPage({ method: 'GET', path: '/requests/:id', permission: 'own:read', handler: requestDetailsPage }),
]
