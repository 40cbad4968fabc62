import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import { type FeedName, feedNames } from '../../domain/feed.ts'
import type { Key } from '../../domain/key.ts'
import { getKey } from '../../usecases/admin/get-key.ts'
import { type PinPreview, previewPin } from '../../usecases/admin/preview-pin.ts'
import { feedLabels } from '../../web/feed-labels.ts'
import { type Html, type HtmlValue, html } from '../../web/html.ts'
import type { NavLink } from '../../web/layout.ts'
import { card, facts } from '../../web/parts/facts.ts'
import { form, queryForm } from '../../web/parts/form.ts'
import { badge, notice } from '../../web/parts/notice.ts'
import { formatBytes, formatNumber } from '../../web/parts/number.ts'
import { sameElsewhere } from '../../web/parts/same.ts'
import { time } from '../../web/parts/time.ts'
import { linkTo } from '../../web/site.ts'
import type { ManagementContext } from '../context.ts'
import { refuseForm } from '../pages/form-faults.ts'
import type { PageAnswer, PageRequest } from '../pages/page-route.ts'
import { revisionField } from '../pages/revision.ts'
import { keyName } from './key-parts.ts'

/** The pin to move, and the page that moves it. */
export interface PinMove {
  /** Id of the key. */
  readonly id: string
  readonly feed: string
  /** The version to preview; undefined to choose one. */
  readonly version: string | undefined
  readonly fault: AdminFault | undefined
  readonly canMove: boolean
  /** Path of the page below the base path; the form sends to `/move` below it. */
  readonly path: string
  readonly trail: readonly NavLink[]
}

/** Returns the page on which a version for the pin of a feed is chosen, its changes are shown, and the pin is moved. */
export async function pinMoveView(
  { admin }: ManagementContext,
  request: PageRequest,
  { id, feed: name, version, fault, canMove, path, trail }: PinMove,
): Promise<PageAnswer> {
  const { actor, site, form: values } = request
  const feed = feedNames.find(one => one === name)
  if (!feed) return adminFault('feed_unknown', ['feed'], { feed: name, feeds: feedNames })
  const key = await getKey(admin, actor, { id })
  if (isAdminFault(key)) return key
  const action = linkTo(site, path)
  const preview = version === undefined ? undefined : await previewPin(admin, actor, { id, feed, version })
  const wrong = isAdminFault(preview) ? preview : fault
  const refused = wrong && refuseForm([], values, wrong)
  const isOfVersion = wrong?.fields.includes('version') === true
  return {
    ...(refused && { status: refused.status }),
    title: `Move the feed ${feedLabels[feed]}`,
    lead: html`The pin of the key ${keyName(key)}, now version ${key.feedPins[feed]}.`,
    trail,
    content: [
      !isOfVersion && refused?.error !== undefined && notice('bad', html`<p>${refused.error}</p>`, 'alert'),
      versionChoice({ admin, key, feed, version, action, error: isOfVersion ? refused?.error : undefined }),
      preview && !isAdminFault(preview) && previewCard(preview, request, action, canMove),
      sameElsewhere({
        cli: `periplus feeds pin ${key.id} ${feed} ${version ?? 'VERSION'} --preview`,
        api: `GET /admin/v1/keys/${key.id}/feed-pins/${feed}?version=${version ?? 'VERSION'}`,
      }),
    ],
  }
}

interface VersionChoice {
  readonly admin: ManagementContext['admin']
  readonly key: Key
  readonly feed: FeedName
  readonly version: string | undefined
  readonly action: string
  readonly error: string | undefined
}

function versionChoice({ admin, key, feed, version, action, error }: VersionChoice): Html {
  const others = admin.feedVersions.filter(
    one => one.isImplemented && !one.feedsEnded && one.name !== key.feedPins[feed],
  )
  if (others.length === 0) return html`<p>There is no other version to move to.</p>`
  return queryForm(action, 'Preview', [
    {
      name: 'version',
      label: 'Version',
      type: 'select',
      value: version ?? others.at(-1)!.name,
      error,
      choices: others.map(({ name, status }) => ({ value: name, label: `${name} (${status})` })),
    },
  ])
}

function previewCard(preview: PinPreview, { zone }: PageRequest, path: string, canMove: boolean): Html {
  const { key, from, to, status, snapshot, added, removed, altered } = preview
  const size = snapshot?.files.reduce((sum, file) => sum + file.bytes, 0) ?? 0
  return card(html`From version ${from} to ${to} ${status !== 'stable' && badge('warn', status)}`, [
    facts([
      ['Members added', names(added)],
      ['Members removed', names(removed)],
      ['Members in another form', names(altered)],
      [
        'First download',
        snapshot
          ? html`The full snapshot <code>${snapshot.snapshot_id}</code> of
${time(Date.parse(snapshot.created_at), zone)}: ${formatNumber(snapshot.records)} records, ${formatBytes(size)}`
          : 'The next build makes the full snapshot. Until then there is nothing to download in this version.',
      ],
      ['Undo', 'Possible for 72 hours'],
    ]),
    canMove &&
      preview.changed &&
      form({
        action: `${path}/move`,
        button: `Move to version ${to}`,
        fields: [{ name: 'version', label: 'Version', type: 'hidden', value: to }, revisionField(key)],
      }),
  ])
}

const names = (list: readonly string[]): HtmlValue =>
  list.length === 0 ? 'None' : list.map(name => html`<code>${name}</code> `)
