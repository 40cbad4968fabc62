import { computeGrant, type Effective } from '../access/grant.ts'
import { topLevelCategories } from '../domain/category.ts'
import type { feedNames } from '../domain/feed.ts'
import type { Key } from '../domain/key.ts'
import type { KeySecret } from '../domain/key-secret.ts'
import { type PackageTable, packageNames, permissions } from '../domain/package.ts'
import { dateTime, type TSchema, Type } from '../kit/json-schema.ts'
import { secretResource, secretSchema } from './key-secret.ts'
import { closedObject, formatDateTime, type Resource } from './schema.ts'

const effective = <S extends TSchema>(value: S) =>
  closedObject({ value, source: Type.Enum(['package', 'agreement', 'test key']) })
const number = () => Type.Number({ exclusiveMinimum: 0 })
const quota = () => Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('unlimited')])

export const feedPinsSchema = closedObject({
  locations: Type.String(),
  reviews: Type.String(),
  geos: Type.String(),
  enums: Type.String(),
} satisfies Record<(typeof feedNames)[number], TSchema>)

const keyMembers = {
  id: Type.String(),
  package: Type.Enum(packageNames),
  add_ons: Type.Array(Type.Enum(permissions)),
  partner_id: Type.String(),
  name: Type.Optional(Type.String()),
  test: Type.Boolean(),
  state: Type.Enum(['active', 'disabled', 'revoked']),
  permissions: Type.Array(Type.Enum(permissions)),
  scope: closedObject({
    countries: Type.Optional(Type.Array(Type.String())),
    categories: Type.Optional(Type.Array(Type.Enum(topLevelCategories))),
    sources: Type.Optional(Type.Array(Type.String())),
  }),
  feed_pins: feedPinsSchema,
  limits: closedObject({
    rate: effective(number()),
    burst: effective(number()),
    quota: effective(quota()),
    search_rate: effective(number()),
    search_burst: effective(number()),
    search_quota: effective(quota()),
    autocomplete_rate: effective(number()),
    autocomplete_burst: effective(number()),
  }),
  /** The subject of the limits: the key, or all keys of the partner together. */
  subject: Type.Enum(['key', 'partner']),
  notes: Type.Optional(Type.String()),
  expires_at: Type.Optional(dateTime()),
  /** Networks from which the key can be used; missing: every address. */
  networks: Type.Optional(Type.Array(Type.String())),
  created_at: dateTime(),
  /** Day in UTC and version of the latest counted call. */
  last_used_day: Type.Optional(Type.String({ format: 'date' })),
  last_used_version: Type.Optional(Type.String()),
  revision: Type.Integer({ minimum: 1 }),
}

export const keySchema = closedObject(keyMembers)
export type KeyResource = Resource<typeof keySchema>

/** Presents a key with its effective limits and the source of each (SPEC §5.5). */
export function keyResource(key: Key, packageTable: PackageTable): KeyResource {
  const grant = computeGrant(key, packageTable)
  const limit = <T>({ value, source }: Effective<T>) => ({ value, source })
  const { countries, categories, sources } = key.scope
  return {
    id: key.id,
    package: key.packageName,
    add_ons: [...key.addOns],
    partner_id: key.partnerId,
    ...(key.name !== undefined && { name: key.name }),
    test: key.test,
    state: key.state,
    permissions: [...grant.permissions],
    scope: {
      ...(countries && { countries: [...countries] }),
      ...(categories && { categories: [...categories] }),
      ...(sources && { sources: [...sources] }),
    },
    feed_pins: key.feedPins,
    limits: {
      rate: limit(grant.limits.rate),
      burst: limit(grant.limits.burst),
      quota: limit(grant.limits.quota),
      search_rate: limit(grant.limits.searchRate),
      search_burst: limit(grant.limits.searchBurst),
      search_quota: limit(grant.limits.searchQuota),
      autocomplete_rate: limit(grant.limits.autocompleteRate),
      autocomplete_burst: limit(grant.limits.autocompleteBurst),
    },
    subject: key.agreement.subject ?? 'key',
    ...(key.notes !== undefined && { notes: key.notes }),
    ...(key.expiresMs !== undefined && { expires_at: formatDateTime(key.expiresMs) }),
    ...(key.networks && { networks: [...key.networks] }),
    created_at: formatDateTime(key.createdMs),
    ...(key.lastUse && { last_used_day: key.lastUse.day, last_used_version: key.lastUse.version }),
    revision: key.revision,
  }
}

export const keyWithSecretsSchema = closedObject({ ...keyMembers, secrets: Type.Array(secretSchema) })
export type KeyWithSecretsResource = Resource<typeof keyWithSecretsSchema>

/** Presents a key with its secrets; only their last characters are shown. */
export const keyWithSecretsResource = (
  { key, secrets }: { readonly key: Key; readonly secrets: readonly KeySecret[] },
  packageTable: PackageTable,
): KeyWithSecretsResource => ({ ...keyResource(key, packageTable), secrets: secrets.map(secretResource) })

export const keyListSchema = closedObject({ keys: Type.Array(keySchema) })

/** Presents a list of keys. */
export const keyListResource = (keys: readonly Key[], packageTable: PackageTable): Resource<typeof keyListSchema> => ({
  keys: keys.map(key => keyResource(key, packageTable)),
})

export const createdKeySchema = closedObject({ ...keyMembers, key: Type.String() })

/** Presents a new key with its secret. */
export const createdKeyResource = (
  { key, secret }: { readonly key: Key; readonly secret: string },
  packageTable: PackageTable,
): Resource<typeof createdKeySchema> => ({ ...keyResource(key, packageTable), key: secret })

export const rotatedKeySchema = closedObject({ ...keyMembers, key: Type.String(), others_expire_at: dateTime() })

/** Presents a rotated key with its new secret and the end of the earlier ones. */
export const rotatedKeyResource = (
  rotated: { readonly key: Key; readonly secret: string; readonly othersExpireMs: number },
  packageTable: PackageTable,
): Resource<typeof rotatedKeySchema> => ({
  ...createdKeyResource(rotated, packageTable),
  others_expire_at: formatDateTime(rotated.othersExpireMs),
})
