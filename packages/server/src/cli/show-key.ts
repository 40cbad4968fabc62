import { type Effective, grantOf } from '../access/grant.ts'
import type { Key } from '../domain/key.ts'
import type { PackageTable } from '../domain/package.ts'
import { textPairs } from './print.ts'

/** A key as `--json` prints it, with its effective limits and where each comes from (SPEC §5.5). */
export function keyJson(key: Key, packageTable: PackageTable) {
  const { limits, permissions } = grantOf(key, packageTable)
  const effective = <T>({ value, source }: Effective<T>) => ({ value, source })
  return {
    id: key.id,
    package: key.packageName,
    add_ons: key.addOns,
    partner_id: key.partnerId,
    name: key.name,
    test: key.test,
    state: key.state,
    permissions: [...permissions],
    scope: key.scope,
    feed_pins: key.feedPins,
    limits: {
      rate: effective(limits.rate),
      burst: effective(limits.burst),
      quota: effective(limits.quota),
      search_rate: effective(limits.searchRate),
      search_burst: effective(limits.searchBurst),
      search_quota: effective(limits.searchQuota),
    },
    subject: key.agreement.subject ?? 'key',
    created_at: new Date(key.createdMs).toISOString(),
  }
}

/** The same for a person. */
export function keyText(key: Key, packageTable: PackageTable): string {
  const shown = keyJson(key, packageTable)
  const scope = Object.entries(shown.scope).map(([name, values]) => `${name} ${(values as string[]).join(',')}`)
  const limits = Object.entries(shown.limits).map(
    ([name, { value, source }]) => [name.replace('_', ' '), `${value} (${source})`] as const,
  )
  const pins = shown.permissions.includes('feeds')
    ? Object.entries(shown.feed_pins).map(([feed, version]) => `${feed} ${version}`)
    : []
  return textPairs([
    ['id', shown.id],
    ['name', shown.name],
    ['partner', shown.partner_id],
    ['package', shown.package + (shown.test ? ' (test key)' : '')],
    ['add-ons', shown.add_ons.join(', ') || undefined],
    ['state', shown.state],
    ['may call', shown.permissions.join(', ')],
    ['scope', scope.join('; ') || 'everything'],
    ['feeds', pins.join(', ') || undefined],
    ...limits,
    ['limits count', shown.subject],
    ['created', shown.created_at],
  ])
}
