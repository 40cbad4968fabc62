import type { StoredAuditLine } from '../../domain/audit-log.ts'
import type { JsonValue } from '../../kit/json.ts'
import { isPrivateMember } from '../../usecases/admin/record.ts'
import { type Html, type HtmlValue, html } from '../../web/html.ts'
import { formatNumber } from '../../web/parts/number.ts'
import { formatDuration, time } from '../../web/parts/time.ts'

/** Changes in the words of pages, by action of the audit. */
const actionTexts: Readonly<Record<string, string>> = {
  'backup.cancel': 'Backup cancelled',
  'backup.run': 'Backup finished',
  'backup.start': 'Backup started',
  'cluster.move_cache': 'Cache of limits moved',
  'delivery.repeat': 'Delivery repeated',
  'explorer.open': 'Explorer opened',
  'feed.withdraw': 'Feed snapshot withdrawn',
  'feeds.cancel': 'Feed build cancelled',
  'feeds.run': 'Feed build finished',
  'feeds.start': 'Feed build started',
  'folder.restore': 'Data folder restored',
  'import.cancel': 'Import cancelled',
  'import.run': 'Import finished',
  'import.start': 'Import started',
  'key.change': 'Key changed',
  'key.create': 'Key created',
  'key.disable': 'Key disabled',
  'key.enable': 'Key enabled',
  'key.end_secret': 'Secret of a key ended',
  'key.forgive': 'Penalty of a key forgiven',
  'key.revoke': 'Key revoked',
  'key.rotate': 'Key rotated',
  'link.create': 'Link created',
  'link.use': 'Link used',
  'location.lift': 'Override of a place lifted',
  'location.merge': 'Place merged',
  'location.override': 'Field of a place overridden',
  'location.remove': 'Place removed',
  'node.fold': 'Journal of a node counted',
  'node.forget': 'Node forgotten',
  'partner.change': 'Partner changed',
  'partner.close': 'Partner closed',
  'partner.create': 'Partner created',
  'partner.note': 'Note added',
  'partner.open': 'Partner opened again',
  'partner.view': 'Pages of the partner opened by staff',
  'photo.erase': 'Photo erased',
  'photo.hide': 'Photo hidden',
  'photo.show': 'Photo shown again',
  'pin.move': 'Feed pin moved',
  'pin.undo': 'Feed pin moved back',
  'review.erase': 'Review erased',
  'review.hide': 'Review hidden',
  'review.show': 'Review shown again',
  'reviewer.erase': 'Reviewer erased',
  'session.create': 'Signed in',
  'session.end': 'Session ended',
  'suggestion.accept': 'Suggestion accepted',
  'suggestion.create': 'Change of a place suggested',
  'suggestion.reject': 'Suggestion rejected',
  'token.create': 'Admin token created',
  'token.revoke': 'Admin token revoked',
  'upgrade.approve': 'Upgrade approved',
  'upgrade.decline': 'Upgrade declined',
  'upgrade.open': 'Upgrade requested',
  'upgrade.withdraw': 'Upgrade request withdrawn',
  'user.change': 'User changed',
  'user.create': 'User created',
  'user.erase': 'User erased',
  'user.invite': 'User invited',
  'user.openid_connect': 'Account linked to the provider',
  'user.passkey': 'Passkey changed',
  'user.password': 'Password changed',
  'user.recovery_codes': 'Recovery codes created',
  'user.reset': 'Credentials reset',
  'user.totp': 'Authenticator app changed',
  'user.uninvite': 'Invitation withdrawn',
  'verify.start': 'Verification started',
  'verify.cancel': 'Verification cancelled',
  'version.notice': 'Notice about a version sent',
  'webhook.add': 'Webhook added',
  'webhook.change': 'Webhook changed',
  'webhook.remove': 'Webhook removed',
  'webhook.rotate': 'Secret of a webhook replaced',
}

/** Returns a change as text; an action without words as its code. */
export const actionText = (action: string): Html =>
  action in actionTexts ? html`${actionTexts[action]}` : html`<code>${action}</code>`

/** Returns the members that a change set, each with its values before and after. */
export function changedMembers({ before, after }: StoredAuditLine, zone: string): HtmlValue {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const isBoth = before !== undefined && after !== undefined
  const items = names.map(name => {
    // The audit does not record texts, so only their change is worth a word.
    if (isPrivateMember(name)) return isBoth && `${labelOf(name)} changed`
    const [was, is] = [before?.[name], after?.[name]].map(value => textOf(name, value, zone))
    if (isBoth) return html`${labelOf(name)}: ${was ?? 'not set'} → ${is ?? 'not set'}`
    const text = is ?? was
    return text !== undefined && text !== 'no' && html`${labelOf(name)}: ${text}`
  })
  const shown = items.filter(item => item !== false)
  return shown.length > 0 && html`<ul class="changes">${shown.map(item => html`<li>${item}</li>`)}</ul>`
}

const labelOf = (name: string): string => name.replace(/_ms$/, '').replaceAll('_', ' ')

/** Returns a value as text; undefined for one that is missing or empty. */
function textOf(name: string, value: JsonValue | undefined, zone: string): Html | string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number' && name.endsWith('_ms'))
    return name === 'overlap_ms' ? formatDuration(value) : time(value, zone)
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value !== 'object') return String(value)
  const parts = Array.isArray(value)
    ? value.map(item => (typeof item === 'object' ? JSON.stringify(item) : String(item)))
    : Object.entries(value).map(([key, item]) => `${labelOf(key)} ${textOf(key, item, 'UTC') ?? 'not set'}`)
  return parts.length === 0 ? undefined : parts.join(', ')
}
