import { partnerPage } from '../pages/page-route.ts'
import { usagePage } from '../shared/usage.ts'
import { isLongSpan } from '../shared/usage-filter.ts'

/** The calls and units of a partner. */
export const usagePages = [
  partnerPage({
    method: 'GET',
    path: '/usage',
    permission: 'own:read',
    isCostly: isLongSpan,
    handler: (context, request) =>
      usagePage(context, request, {
        lead: 'Calls and units of your keys, up to the latest call.',
        partnerId: request.partner.id,
        dimensions: ['operation', 'version', 'status', 'key'],
      }),
  }),
]
