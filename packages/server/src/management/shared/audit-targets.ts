import { isAdminFault } from '../../domain/admin-fault.ts'
import type { StoredAuditLine } from '../../domain/audit-log.ts'
import type { User } from '../../domain/user.ts'
import { findEndpoint } from '../../usecases/admin/find-endpoint.ts'
import { findUpgrade } from '../../usecases/admin/find-upgrade.ts'
import { getKey } from '../../usecases/admin/get-key.ts'
import { getPartner } from '../../usecases/admin/get-partner.ts'
import { type Html, html } from '../../web/html.ts'
import { link } from '../../web/parts/link.ts'
import { linkTo } from '../../web/site.ts'
import type { ManagementContext } from '../context.ts'
import type { PageRequest } from '../pages/page-route.ts'
import { keyName } from './key-parts.ts'
import { askText } from './upgrade-parts.ts'

/** Returns the target of a line by its name, with a link where it has a page. */
export type TargetText = (line: StoredAuditLine) => Html

interface NamedTarget {
  readonly text: string
  /** Path of its page below the base path. */
  readonly path?: string
}

/** True if the reader sees the changes of one partner only. */
export const isOfPartner = ({ visibility }: Pick<PageRequest, 'visibility'>): boolean => !('all' in visibility)

/** Reads the names of the targets of lines, and returns the function that shows them. */
export async function readTargets(
  context: ManagementContext,
  request: PageRequest,
  lines: readonly StoredAuditLine[],
  users: readonly User[],
): Promise<TargetText> {
  const names = new Map<string, NamedTarget>()
  for (const line of new Map(lines.map(one => [one.target, one])).values()) {
    const user = users.find(({ id }) => id === line.target)
    const named = user ? { text: user.name ?? user.email } : await nameTarget(context, request, line)
    if (named) names.set(line.target, named)
  }
  return ({ target }) => {
    const named = names.get(target)
    if (!named) return html`<span class="id">${target}</span>`
    return named.path === undefined ? html`${named.text}` : link(linkTo(request.site, named.path), named.text)
  }
}

/** Returns the name of a target that still exists. */
async function nameTarget(
  { admin, webhooks }: ManagementContext,
  request: PageRequest,
  { target, partnerId = '', action }: StoredAuditLine,
): Promise<NamedTarget | undefined> {
  const { actor } = request
  const ofPartner = isOfPartner(request)
  const folder = ofPartner ? `/portal/${partnerId}` : `/console/partners/${partnerId}`
  if (target === partnerId) {
    const partner = await getPartner(admin, actor, { id: target })
    return isAdminFault(partner) ? undefined : { text: partner.name, path: ofPartner ? `${folder}/` : folder }
  }
  const kind = target.split(/[_/]/, 1)[0]!
  if (kind === 'key' || kind === 'explorer') {
    const key = await getKey(admin, actor, { id: target })
    return isAdminFault(key) ? undefined : { text: keyName(key), path: `${folder}/keys/${target}` }
  }
  if (kind === 'upgrade') {
    const upgrade = await findUpgrade(admin.upgrades, actor, target)
    if (isAdminFault(upgrade)) return undefined
    return { text: askText(upgrade.ask), path: ofPartner ? `${folder}/plan` : `/console/upgrades/${target}` }
  }
  if (kind === 'webhook') {
    const endpoint = await findEndpoint(webhooks, actor, target)
    if (isAdminFault(endpoint)) return undefined
    const webhookFolder = partnerId === '' ? '/console/events/webhooks' : `/portal/${partnerId}/webhooks`
    return { text: `Webhook to ${new URL(endpoint.url).host}`, path: `${webhookFolder}/${target}` }
  }
  return nameData(target, action, ofPartner ? folder : undefined)
}

/** Returns the name of a target that belongs to the data; `folder` is that of the partner who reads. */
function nameData(target: string, action: string, folder: string | undefined): NamedTarget | undefined {
  if (target.startsWith('location/'))
    return { text: target.replace('/', ' '), path: `/console/places/${target.slice(9)}` }
  if (target.startsWith('suggestion_'))
    return {
      text: 'Suggestion',
      path: folder === undefined ? `/console/suggestions/${target}` : `${folder}/suggestions`,
    }
  return action.startsWith('import.') ? { text: target, path: `/console/imports/${target}` } : undefined
}
