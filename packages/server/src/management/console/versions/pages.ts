import { isAdminFault } from '../../../domain/admin-fault.ts'
import { sendVersionNotice } from '../../../usecases/admin/send-version-notice.ts'
import { formatCount } from '../../../web/parts/number.ts'
import type { ManagementContext } from '../../context.ts'
import { consolePage, type PageAnswer, type PageRequest } from '../../pages/page-route.ts'
import { operatorVersionsPage } from './version-page.ts'
import { versionsPath } from './versions-path.ts'

/** Versions of the partner API: dates, use, and notices. */
export const versionPages = [
  consolePage({ method: 'GET', path: '/versions', permission: 'system:read', handler: operatorVersionsPage }),
  consolePage({
    method: 'POST',
    path: '/versions/:version/notice',
    permission: 'requests:decide',
    handler: sendNotice,
  }),
]

async function sendNotice(context: ManagementContext, { params, actor }: PageRequest): Promise<PageAnswer> {
  const { admin, usage, audit } = context
  const stores = { ...admin, usage: usage.usage, audit }
  const sent = await sendVersionNotice(stores, actor, { version: params.version!, versions: context.versions() })
  if (isAdminFault(sent)) return sent
  const message =
    sent.length === 0
      ? 'No partner uses this version, so nobody gets a notice.'
      : `${formatCount(sent.length, 'partner')} ${sent.length === 1 ? 'gets' : 'get'} the notice by webhook and mail; each at most one a day.`
  return { redirect: versionsPath, message }
}
