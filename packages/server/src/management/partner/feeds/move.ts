import { type AdminFault, adminFault, isAdminFault } from '../../../domain/admin-fault.ts'
import { type FeedName, feedNames } from '../../../domain/feed.ts'
import type { Key } from '../../../domain/key.ts'
import { getKey } from '../../../usecases/admin/get-key.ts'
import { pinFeed } from '../../../usecases/admin/pin-feed.ts'
import { type PinPreview, previewPin } from '../../../usecases/admin/preview-pin.ts'
import { undoPin } from '../../../usecases/admin/undo-pin.ts'
import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import { card, facts } from '../../../web/parts/facts.ts'
import { form } from '../../../web/parts/form.ts'
import { badge, notice } from '../../../web/parts/notice.ts'
import { bytes, number } from '../../../web/parts/number.ts'
import { time } from '../../../web/parts/time.ts'
import type { ManagementContext } from '../../context.ts'
import { refuseForm } from '../../pages/form-faults.ts'
import { type PageAnswer, type PartnerRequest, partnerPage } from '../../pages/page-route.ts'
import { keyName } from '../../shared/key-parts.ts'
import { revisionField, revisionOf } from '../keys/change.ts'
import { feedLabels } from './feeds.ts'

/** Moving the pin of a feed: the preview, the move, and its undo. */
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
      const input = { id: params.id!, feed: params.feed!, version, expectedRevision: revisionOf(request) }
      const moved = await pinFeed(context.admin, actor, input)
      if (isAdminFault(moved)) return previewView(context, request, version, moved)
      return back(request, `The feed ${feedLabels[moved.feed]} now comes in version ${moved.to}.`)
    },
  }),
  partnerPage({
    method: 'POST',
    path: '/feeds/:id/:feed/undo',
    permission: 'own:write',
    handler: async ({ admin }, request) => {
      const { actor, params } = request
      const input = { id: params.id!, feed: params.feed!, expectedRevision: revisionOf(request) }
      const moved = await undoPin(admin, actor, input)
      return isAdminFault(moved)
        ? moved
        : back(request, `The feed ${feedLabels[moved.feed]} is back in version ${moved.to}.`)
    },
  }),
]

const back = ({ partner, params }: PartnerRequest, message: string): PageAnswer => ({
  ...{ redirect: `/portal/${partner.id}/feeds?key=${params.id}`, message },
})

async function previewView(
  { admin }: ManagementContext,
  request: PartnerRequest,
  version: string | undefined,
  fault?: AdminFault,
): Promise<PageAnswer> {
  const { params, actor, partner, site, form: values } = request
  const feed = feedNames.find(name => name === params.feed)
  if (!feed) return adminFault('feed_unknown', ['feed'], { feed: params.feed!, feeds: feedNames })
  const key = await getKey(admin, actor, { id: params.id! })
  if (isAdminFault(key)) return key
  const path = `${site.basePath}/portal/${partner.id}/feeds/${key.id}/${feed}`
  const preview = version === undefined ? undefined : await previewPin(admin, actor, { id: key.id, feed, version })
  const wrong = isAdminFault(preview) ? preview : fault
  const refused = wrong && refuseForm([], values, wrong)
  return {
    ...(refused && { status: refused.status }),
    title: `Move the feed ${feedLabels[feed]}`,
    lead: html`The pin of the key ${keyName(key)}, now version ${key.feedPins[feed]}.`,
    trail: [{ path: `/portal/${partner.id}/feeds?key=${key.id}`, label: 'Feeds' }],
    content: html`${refused?.error !== undefined && notice('bad', html`<p>${refused.error}</p>`, 'alert')}${versionChoice(admin, key, feed, version, path)}${preview && !isAdminFault(preview) && previewCard(preview, request, path)}`,
  }
}

function versionChoice(
  { feedVersions }: ManagementContext['admin'],
  key: Key,
  feed: FeedName,
  version: string | undefined,
  action: string,
): Html {
  const others = feedVersions.filter(one => one.isImplemented && !one.feedsEnded && one.name !== key.feedPins[feed])
  if (others.length === 0) return html`<p>There is no other version to move to.</p>`
  return form({
    ...{ action, method: 'get', inline: true, button: 'Preview', kind: 'plain' },
    fields: [
      {
        ...{ name: 'version', label: 'Version', type: 'select', value: version ?? others.at(-1)!.name },
        choices: others.map(({ name, status }) => ({ value: name, label: `${name} (${status})` })),
      },
    ],
  })
}

function previewCard(preview: PinPreview, { may, zone }: PartnerRequest, path: string): Html {
  const { key, from, to, status, snapshot, added, removed, altered } = preview
  const size = snapshot?.files.reduce((sum, file) => sum + file.bytes, 0) ?? 0
  return card(
    html`From version ${from} to ${to} ${status !== 'stable' && badge('warn', status)}`,
    html`${facts([
      ['Members added', names(added)],
      ['Members removed', names(removed)],
      ['Members in another form', names(altered)],
      [
        'First download',
        snapshot
          ? html`The full snapshot <code>${snapshot.snapshot_id}</code> of ${time(Date.parse(snapshot.created_at), zone)}: ${number(snapshot.records)} records, ${bytes(size)}`
          : 'The next build makes the full snapshot. Until then there is nothing to download in this version.',
      ],
      ['Undo', 'Possible for 72 hours'],
    ])}${
      may('own:write') &&
      preview.changed &&
      form({
        ...{ action: `${path}/move`, button: `Move to version ${to}` },
        fields: [{ name: 'version', label: 'Version', type: 'hidden', value: to }, revisionField(key)],
      })
    }`,
  )
}

const names = (list: readonly string[]): HtmlValue =>
  list.length === 0 ? 'None' : list.map(name => html`<code>${name}</code> `)
