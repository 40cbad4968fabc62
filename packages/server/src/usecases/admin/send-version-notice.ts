import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { AuditLog } from '../../domain/audit-log.ts'
import type { EventDraft } from '../../domain/event.ts'
import type { ServedVersion } from '../../domain/lifecycle.ts'
import { dayMs } from '../../kit/time.ts'
import { recordOf } from './record.ts'
import { listVersionUsers, type VersionUseStores } from './version-users.ts'

/**
 * Sends the event of a version's sunset, or of its deprecation, to the partners that use it, at most once a day to
 * each, and returns them. These events come in addition to those of the version's dates. A version without a future
 * date has nothing to announce.
 */
export async function sendVersionNotice(
  stores: VersionUseStores & { readonly audit: AuditLog },
  actor: Actor,
  { version: name, versions }: { readonly version: string; readonly versions: readonly ServedVersion[] },
): Promise<readonly string[] | AdminFault> {
  const nowMs = stores.clock.nowMs()
  const announced = versions.filter(one => hasNotice(one, nowMs))
  const version = announced.find(one => one.name === name)
  if (!version)
    return adminFault('version_unknown', ['version'], { version: name, versions: announced.map(one => one.name) })
  const users = await listVersionUsers(stores, actor, { versions: [name] })
  if (isAdminFault(users)) return users
  const partners = [...new Set(users.get(name)!.map(({ key }) => key.partnerId))]
  const events = partners.map(partnerId => noticeOf(version, partnerId, nowMs))
  if (partners.length > 0)
    await stores.audit.append(
      recordOf(stores.clock, actor, { action: 'version.notice', target: name, after: { partners }, events }),
    )
  return partners
}

/** Returns true if a version is deprecated or has a sunset in the future. */
export const hasNotice = ({ deprecatedMs, sunsetMs }: ServedVersion, nowMs: number): boolean =>
  (sunsetMs !== undefined && sunsetMs > nowMs) || (deprecatedMs !== undefined && sunsetMs === undefined)

function noticeOf({ name, deprecatedMs, sunsetMs }: ServedVersion, partnerId: string, nowMs: number): EventDraft {
  const type = sunsetMs === undefined ? 'version.deprecated' : 'version.sunset_near'
  const time = (ms: number) => new Date(ms).toISOString()
  return {
    type,
    partnerId,
    atMs: nowMs,
    data: {
      version: name,
      ...(deprecatedMs !== undefined && { deprecated_at: time(deprecatedMs) }),
      ...(sunsetMs !== undefined && { sunset_at: time(sunsetMs), days_left: Math.ceil((sunsetMs - nowMs) / dayMs) }),
    },
    uniqueKey: `${type}:${name}:notice/${time(nowMs).slice(0, 10)}:${partnerId}`,
  }
}
