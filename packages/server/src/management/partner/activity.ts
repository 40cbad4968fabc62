import { partnerPage } from '../pages/page-route.ts'
import { auditPage } from '../shared/audit-list.ts'

/** The changes of a partner's keys, users and settings, and the visits of staff. */
export const activityPages = [
  partnerPage({
    method: 'GET',
    path: '/activity',
    permission: 'own:team',
    handler: (context, request) =>
      auditPage(context, request, {
        title: 'Activity',
        lead: 'Changes of your keys, users and settings, and visits of the operator’s staff.',
      }),
  }),
]
