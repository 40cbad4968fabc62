import type { KeyResource, KeyWithSecretsResource } from '../resources/key.ts'
import { textPairs, textTable } from './print.ts'

/** Formats a key as text. */
export function keyText(key: KeyResource): string {
  const scope = Object.entries(key.scope).map(([name, values]) => `${name} ${values.join(',')}`)
  const limits = Object.entries(key.limits).map(([name, limit]) => [name.replace('_', ' '), limitText(limit)] as const)
  const pins = key.permissions.includes('feeds')
    ? Object.entries(key.feed_pins).map(([feed, version]) => `${feed} ${version}`)
    : []
  return textPairs([
    ['id', key.id],
    ['name', key.name],
    ['partner', key.partner_id],
    ['package', key.package + (key.test ? ' (test key)' : '')],
    ['add-ons', key.add_ons.join(', ') || undefined],
    ['state', key.state],
    ['permissions', key.permissions.join(', ')],
    ['scope', scope.join('; ') || 'everything'],
    ['feeds', pins.join(', ') || undefined],
    ...limits,
    ['limits apply to', key.subject],
    ['networks', key.networks?.join(', ')],
    ['notes', key.notes],
    ['created', key.created_at],
    ['ends', key.expires_at],
    ['last used', key.last_used_day && `${key.last_used_day}, version ${key.last_used_version}`],
  ])
}

/** Formats the secrets of a key as a table. */
export const secretListText = (secrets: KeyWithSecretsResource['secrets']): string =>
  textTable(
    ['secret', 'ends in', 'created', 'valid until', 'last used', 'calls since rotation'],
    secrets.map(secret => [
      secret.id,
      secret.last4 === undefined ? '' : `…${secret.last4}`,
      secret.created_at,
      secret.expires_at,
      secret.last_used_day,
      secret.calls_since_rotation,
    ]),
  )

const limitNames = ['rate', 'burst', 'quota', 'search_rate', 'search_burst', 'search_quota'] as const

/** Formats keys as a table. */
export const keyListText = (keys: readonly KeyResource[]): string =>
  textTable(
    ['id', 'name', 'partner', 'package', 'state', 'last used', ...limitNames.map(name => name.replace('_', ' '))],
    keys.map(key => [
      key.id,
      key.name,
      key.partner_id,
      key.package,
      key.state,
      key.last_used_day,
      ...limitNames.map(name => limitText(key.limits[name])),
    ]),
  )

const limitText = ({ value, source }: { readonly value: number | string; readonly source: string }): string =>
  `${value} (${source})`
