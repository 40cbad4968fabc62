import { consolePage } from '../pages/page-route.ts'
import { auditPage } from '../shared/audit-list.ts'

/** The changes of everybody. */
export const auditPages = [
  consolePage({
    method: 'GET',
    path: '/audit',
    permission: 'audit:read',
    handler: (context, request) =>
      auditPage(context, request, {
        title: 'Audit',
        lead: 'Who changed what, through which interface, before and after.',
      }),
  }),
]
