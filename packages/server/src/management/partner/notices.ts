import type { ServedVersion } from '../../domain/lifecycle.ts'
import type { PartnerNotice } from '../../usecases/admin/partner-notices.ts'
import { type Html, html } from '../../web/html.ts'
import { notice } from '../../web/parts/notice.ts'
import { formatCount } from '../../web/parts/number.ts'
import { calendarDate, time, timeDistance } from '../../web/parts/time.ts'
import { linkTo } from '../../web/site.ts'
import type { PartnerRequest } from '../pages/page-route.ts'

/** Returns a notice in words, with the page that helps. */
export function noticeText(found: PartnerNotice, request: PartnerRequest): Html {
  const link = (path: string, label: string) =>
    html`<a href="${linkTo(request.site, `/portal/${request.partner.id}${path}`)}">${label}</a>`
  switch (found.kind) {
    case 'version':
      return notice(
        'warn',
        html`<p>${versionText(found, request)} ${link('/versions', 'See your calls by version')}.</p>`,
      )
    case 'key_ends':
      return notice(
        'warn',
        html`<p>The key ${link(`/keys/${found.key.id}`, found.key.name ?? found.key.id)} ends
${timeDistance(found.endsMs, request.nowMs)}, on ${time(found.endsMs, request.zone)}.</p>`,
      )
    case 'feed_idle':
      return notice(
        'info',
        html`<p>The key ${link(`/keys/${found.key.id}`, found.key.name ?? found.key.id)} has downloaded no feed since
${calendarDate(found.lastDay, 'day')}. ${link('/feeds', 'See the snapshots')}.</p>`,
      )
    case 'upgrade_decided': {
      const isApproved = found.request.state === 'approved'
      return notice(
        isApproved ? 'good' : 'info',
        html`<p>Your request of ${time(found.request.createdMs, request.zone, 'day')} was
${isApproved ? 'approved' : 'declined'}${found.request.answer !== undefined && `: ${found.request.answer}`}.
${link('/plan', 'See your plan')}.</p>`,
      )
    }
  }
}

function versionText(
  { version, calls, pinned }: Extract<PartnerNotice, { readonly kind: 'version' }>,
  request: PartnerRequest,
): Html {
  const uses = [
    ...(calls > 0 ? [`received ${formatCount(calls, 'call')} of yours in 30 days`] : []),
    ...(pinned.length > 0 ? [`is the version of feeds of ${formatCount(pinned.length, 'key')}`] : []),
  ]
  return html`Version ${version.name} ${lifecycleText(version, request)}. It ${uses.join(' and ')}.`
}

function lifecycleText({ status, deprecatedMs, sunsetMs }: ServedVersion, { zone, nowMs }: PartnerRequest): Html {
  const day = sunsetMs !== undefined && html` ${timeDistance(sunsetMs, nowMs)}, on ${time(sunsetMs, zone, 'day')}`
  if (status === 'retired') return html`was retired${day}`
  const isDeprecated = status === 'deprecated' || (deprecatedMs !== undefined && deprecatedMs <= nowMs)
  return html`${isDeprecated && 'is deprecated'}${isDeprecated && day && ' and '}${day && html`will be retired${day}`}`
}
