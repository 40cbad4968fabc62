import { adminFault, isAdminFault } from '../../../domain/admin-fault.ts'
import { feedNames } from '../../../domain/feed.ts'
import { listSnapshots } from '../../../usecases/admin/list-snapshots.ts'
import { startFeedBuild } from '../../../usecases/admin/start-feed-build.ts'
import { withdrawSnapshot } from '../../../usecases/admin/withdraw-snapshot.ts'
import { type Field, form } from '../../../web/parts/form.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { reasonError, refuseForm, refuseUnknownChoices } from '../../pages/form-faults.ts'
import { consolePage, type PageAnswer, type PageRequest } from '../../pages/page-route.ts'
import { buildFields } from './build-form.ts'
import { feedsView } from './feed-list.ts'
import { feedsPath } from './feeds-path.ts'

/** Feeds: editions, snapshots, builds and withdrawals. */
export const feedPages = [
  consolePage({
    method: 'GET',
    path: '/feeds',
    permission: 'system:read',
    handler: (context, request) => feedsView(context, request),
  }),
  consolePage({ method: 'POST', path: '/feeds/build', permission: 'feeds:write', handler: buildFeeds }),
  consolePage({
    method: 'GET',
    path: '/feeds/withdraw',
    permission: 'feeds:write',
    handler: (context, request) => withdrawView(context, request),
  }),
  consolePage({ method: 'POST', path: '/feeds/withdraw', permission: 'feeds:write', handler: withdrawFeed }),
]

async function buildFeeds(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { form: sent, actor } = request
  const fields = buildFields(context)
  const unknown = refuseUnknownChoices(fields, sent)
  if (unknown) return feedsView(context, request, unknown)
  const feed = feedNames.find(name => name === sent.text('feed'))
  const [kind, version] = [sent.text('kind'), sent.text('version')]
  const job = await startFeedBuild(context.work, actor, {
    ...((kind === 'full' || kind === 'delta') && { kind }),
    ...(feed && { feeds: [feed] }),
    ...(version !== '' && { versions: [version] }),
    force: sent.text('force') === 'yes',
  })
  if (!isAdminFault(job)) return { redirect: feedsPath, message: 'The build has started.' }
  return feedsView(context, request, refuseForm(fields, sent, job))
}

/** Shows the form that withdraws a snapshot. */
async function withdrawView(context: ManagementContext, request: PageRequest, error?: string): Promise<PageAnswer> {
  const { query, form: sent, site, actor } = request
  const value = (name: string) => (error === undefined ? (query[name] ?? '') : sent.text(name))
  const [feed, version, snapshot] = [value('feed'), value('version'), value('snapshot')]
  const { manifests } = await listSnapshots(context.work, actor, {})
  const found = manifests.find(one => one.feed === feed && one.version === version && one.snapshot_id === snapshot)
  if (!found) return adminFault('snapshot_unknown', ['id'], { feed: feedNames[0], version, snapshot })
  return {
    title: `Withdraw ${snapshot}`,
    ...(error !== undefined && { status: 422 }),
    trail: [{ path: feedsPath, label: 'Feeds' }],
    lead: 'Downloads of a withdrawn snapshot answer 410. The next build makes a full snapshot if no other is left.',
    content: [
      form({
        action: linkTo(site, `${feedsPath}/withdraw`),
        button: 'Withdraw this snapshot',
        kind: 'danger',
        cancel: { href: linkTo(site, feedsPath), label: 'Keep it' },
        fields: [
          {
            name: 'reason',
            label: 'Reason',
            value: sent.text('reason'),
            error,
            hint: 'For colleagues: what is wrong with the snapshot.',
          },
          ...Object.entries({ feed, version, snapshot }).map(
            ([name, text]): Field => ({ name, label: '', type: 'hidden', value: text }),
          ),
        ],
      }),
      sameElsewhere({
        cli: `periplus feeds withdraw ${feed} ${version} ${snapshot} --reason TEXT`,
        api: `DELETE /admin/v1/feeds/${feed}/snapshots/${snapshot}?version=${version}&reason=TEXT`,
      }),
    ],
  }
}

async function withdrawFeed(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { form: sent, actor } = request
  const [feed, version, snapshotId] = [sent.text('feed'), sent.text('version'), sent.text('snapshot')]
  const done = await withdrawSnapshot(context.work, actor, { feed, version, snapshotId, reason: sent.text('reason') })
  if (!isAdminFault(done)) return { redirect: feedsPath, message: `The snapshot ${snapshotId} was withdrawn.` }
  const error = reasonError(done)
  return error === undefined ? done : withdrawView(context, request, error)
}
