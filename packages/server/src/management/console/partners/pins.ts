import { type AdminFault, isAdminFault } from '../../../domain/admin-fault.ts'
import { type FeedName, feedNames } from '../../../domain/feed.ts'
import type { Key } from '../../../domain/key.ts'
import { pinFeed } from '../../../usecases/admin/pin-feed.ts'
import { undoPin } from '../../../usecases/admin/undo-pin.ts'
import { feedLabels } from '../../../web/feed-labels.ts'
import type { Html } from '../../../web/html.ts'
import { card } from '../../../web/parts/facts.ts'
import { buttonForm } from '../../../web/parts/form.ts'
import { buttonLink } from '../../../web/parts/link.ts'
import { table } from '../../../web/parts/table.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { revisionOf } from '../../pages/revision.ts'
import { keyName } from '../../shared/key-parts.ts'
import { pinMoveView } from '../../shared/pin-move.ts'
import { partnerKeyPath, readKeyOfPath } from './key-actions.ts'

/** Returns the versions that a key receives of each feed; `undoable` are those whose last move can be undone. */
export function pinsCard(key: Key, undoable: readonly FeedName[], { site, may }: PageRequest): Html {
  const path = (feed: FeedName) => linkTo(site, `${partnerKeyPath(key)}/feeds/${feed}`)
  const revision = String(key.revision)
  return card(
    'Feed pins',
    table<FeedName>({
      caption: 'Feeds with the versions they are pinned to',
      columns: [
        { label: 'Feed', kind: 'name', cell: feed => feedLabels[feed] },
        { label: 'Version', cell: feed => key.feedPins[feed] },
        {
          label: 'Actions',
          kind: 'actions',
          cell: feed =>
            may('keys:write') && [
              undoable.includes(feed) && buttonForm(`${path(feed)}/undo`, 'Undo', { revision }),
              ' ',
              buttonLink(path(feed), 'Move', { subject: feedLabels[feed] }),
            ],
        },
      ],
      rows: feedNames,
    }),
  )
}

/** Shows the changes of a version before the pin of a feed is moved to it. */
export const pinPage = (context: ManagementContext, request: PageRequest): Promise<PageAnswer> =>
  view(context, request, request.query.version, undefined)

async function view(
  context: ManagementContext,
  request: PageRequest,
  version: string | undefined,
  fault: AdminFault | undefined,
): Promise<PageAnswer> {
  const key = await readKeyOfPath(context, request)
  if (isAdminFault(key)) return key
  const { params, may } = request
  const path = partnerKeyPath(key)
  return pinMoveView(context, request, {
    id: key.id,
    feed: params.feed!,
    version,
    fault,
    canMove: may('keys:write'),
    path: `${path}/feeds/${params.feed}`,
    trail: [
      { path: '/console/partners', label: 'Partners' },
      { path, label: keyName(key) },
    ],
  })
}

/** Moves the pin of a feed. */
export async function movePinPage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const key = await readKeyOfPath(context, request)
  if (isAdminFault(key)) return key
  const { actor, params, form } = request
  const version = form.text('version')
  const input = { id: key.id, feed: params.feed!, version, expectedRevision: revisionOf(form) }
  const moved = await pinFeed(context.admin, actor, input)
  if (isAdminFault(moved)) return view(context, request, version, moved)
  return {
    redirect: partnerKeyPath(key),
    message: `The feed ${feedLabels[moved.feed]} now comes in version ${moved.to}.`,
  }
}

/** Moves the pin of a feed back. */
export async function undoMove(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const key = await readKeyOfPath(context, request)
  if (isAdminFault(key)) return key
  const { actor, params, form } = request
  const input = { id: key.id, feed: params.feed!, expectedRevision: revisionOf(form) }
  const moved = await undoPin(context.admin, actor, input)
  if (isAdminFault(moved)) return moved
  return {
    redirect: partnerKeyPath(key),
    message: `The feed ${feedLabels[moved.feed]} is back in version ${moved.to}.`,
  }
}
