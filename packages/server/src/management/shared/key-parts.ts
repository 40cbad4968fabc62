import { topLevelNames } from '../../domain/category.ts'
import type { Key } from '../../domain/key.ts'
import { explorerKeyId } from '../../domain/own-key.ts'
import type { Permission } from '../../domain/package.ts'
import type { Scope } from '../../domain/scope.ts'
import { type Html, html } from '../../web/html.ts'
import { badge } from '../../web/parts/notice.ts'
import { formatCount } from '../../web/parts/number.ts'

/** Returns the name of a key; without a name, the end of its id. */
export const keyName = ({ name, id, partnerId = '' }: Pick<Key, 'name' | 'id'> & Partial<Key>): string =>
  id === explorerKeyId(partnerId) ? 'API explorer' : (name ?? `Unnamed …${id.slice(-6)}`)

/** Returns the kind of a key. */
export const keyKind = ({ test }: Pick<Key, 'test'>): Html => (test ? badge('info', 'Test') : badge('plain', 'Live'))

/** Returns the state of a key, which has ended when its time is over. */
export function keyState({ state, expiresMs }: Pick<Key, 'state' | 'expiresMs'>, nowMs: number): Html {
  if (state === 'revoked') return badge('bad', 'Revoked')
  if (expiresMs !== undefined && expiresMs <= nowMs) return badge('bad', 'Ended')
  return state === 'disabled' ? badge('warn', 'Disabled') : badge('good', 'Active')
}

/** Names of the permissions on pages. */
export const permissionLabels: Readonly<Record<Permission, string>> = {
  locations: 'Places and search',
  reviews: 'Reviews',
  recommendations: 'Recommendations',
  feeds: 'Feeds',
}

/** Returns the package of a key with its add-ons: "growth + Feeds". */
export const packageText = ({ packageName, addOns }: Pick<Key, 'packageName' | 'addOns'>): string =>
  [packageName, ...addOns.map(name => permissionLabels[name])].join(' + ')

/** Returns the part of the data that a scope includes: "ES, FR · Hotels"; undefined for everything. */
export function scopeText({ countries, categories, sources }: Scope): string | undefined {
  const parts = [countries, categories?.map(name => topLevelNames[name]), sources].filter(part => part !== undefined)
  return parts.length === 0 ? undefined : parts.map(part => part.join(', ')).join(' · ')
}

/** Returns what restricts the use of a key; undefined without a restriction. */
export function restrictionText({ scope, networks }: Pick<Key, 'scope' | 'networks'>): string | undefined {
  const parts = [scopeText(scope), networks && formatCount(networks.length, 'network')].filter(
    part => part !== undefined,
  )
  return parts.length === 0 ? undefined : parts.join(' · ')
}

/** Returns the last characters of a secret, by which it is recognised. */
export const secretEnding = (last4: string | undefined): Html =>
  last4 === undefined ? html`<span class="quiet">Unknown</span>` : html`<code class="ending">…${last4}</code>`
