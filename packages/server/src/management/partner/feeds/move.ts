import { type AdminFault, isAdminFault } from '../../../domain/admin-fault.ts'
import { pinFeed } from '../../../usecases/admin/pin-feed.ts'
import { undoPin } from '../../../usecases/admin/undo-pin.ts'
import { feedLabels } from '../../../web/feed-labels.ts'
import type { ManagementContext } from '../../context.ts'
import { type PageAnswer, type PartnerRequest, partnerPage } from '../../pages/page-route.ts'
import { revisionOf } from '../../pages/revision.ts'
import { pinMoveView } from '../../shared/pin-move.ts'

/** Routes that move the pin of a feed to another version: preview, move and undo. */
export const pinPages = [
  partnerPage({
    method: 'GET',
    path: '/feeds/:id/:feed',
    permission: 'own:read',
    handler: (context, request) => previewView(context, request, request.query.version),
  }),
  partnerPage({
    method: 'POST',
    path: '/feeds/:id/:feed/move',
    permission: 'own:write',
    handler: async (context, request) => {
      const { actor, params, form: values } = request
      const version = values.text('version')
      const input = { id: params.id!, feed: params.feed!, version, expectedRevision: revisionOf(request.form) }
      const moved = await pinFeed(context.admin, actor, input)
      if (isAdminFault(moved)) return previewView(context, request, version, moved)
      return toFeeds(request, `The feed ${feedLabels[moved.feed]} now comes in version ${moved.to}.`)
    },
  }),
  partnerPage({
    method: 'POST',
    path: '/feeds/:id/:feed/undo',
    permission: 'own:write',
    handler: async ({ admin }, request) => {
      const { actor, params } = request
      const input = { id: params.id!, feed: params.feed!, expectedRevision: revisionOf(request.form) }
      const moved = await undoPin(admin, actor, input)
      return isAdminFault(moved)
        ? moved
        : toFeeds(request, `The feed ${feedLabels[moved.feed]} is back in version ${moved.to}.`)
    },
  }),
]

/** Redirects to the feeds of the key with a message. */
const toFeeds = ({ partner, params }: PartnerRequest, message: string): PageAnswer => ({
  redirect: `/portal/${partner.id}/feeds?key=${params.id}`,
  message,
})

const previewView = (
  context: ManagementContext,
  request: PartnerRequest,
  version: string | undefined,
  fault?: AdminFault,
): Promise<PageAnswer> => {
  const { params, partner, may } = request
  const id = params.id!
  const feeds = `/portal/${partner.id}/feeds`
  return pinMoveView(context, request, {
    id,
    feed: params.feed!,
    version,
    fault,
    canMove: may('own:write'),
    path: `${feeds}/${id}/${params.feed}`,
    trail: [{ path: `${feeds}?key=${id}`, label: 'Feeds' }],
  })
}
