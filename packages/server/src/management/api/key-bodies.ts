import type { Agreement } from '../../domain/agreement.ts'
import type { Key, KeyChange } from '../../domain/key.ts'
import { addOnPermissions, packageNames } from '../../domain/package.ts'
import type { Scope } from '../../domain/scope.ts'
import { dateTime, type Static, Type } from '../../kit/json-schema.ts'
import { closedObject, enteredText } from '../../resources/schema.ts'
import { applyMergePatch, limitSchemas, nullable, partialObject, patch, scopeSchemas } from '../terms-body.ts'

/** Body of the request that creates a key. */
export const createKeyBody = closedObject({
  partner_id: Type.Optional(
    Type.String({ description: 'Partner that holds the key. Default: the partner `default`.' }),
  ),
  name: Type.Optional(enteredText('name', 'Purpose of the key.')),
  package: Type.Enum(packageNames),
  test: Type.Optional(Type.Boolean({ description: 'Test key: never billed, 1,000 units a day, no feeds.' })),
  add_ons: Type.Optional(Type.Array(Type.Enum([...addOnPermissions]))),
  agreement: Type.Optional(partialObject(limitSchemas)),
  scope: Type.Optional(partialObject(scopeSchemas)),
  notes: Type.Optional(enteredText('notes', 'Notes of the operator; partners never see them.')),
  expires_at: Type.Optional(dateTime()),
  networks: Type.Optional(Type.Array(Type.String(), { description: 'Networks in CIDR notation, or addresses.' })),
})

/** Merge patch of a key. */
export const changeKeyBody = closedObject({
  name: Type.Optional(enteredText('name')),
  package: Type.Optional(Type.Enum(packageNames)),
  state: Type.Optional(Type.Enum(['active', 'disabled', 'revoked'])),
  add_ons: Type.Optional(Type.Array(Type.Enum([...addOnPermissions]))),
  agreement: Type.Optional(nullable(patch(limitSchemas))),
  scope: Type.Optional(nullable(patch(scopeSchemas))),
  notes: Type.Optional(nullable(enteredText('notes'))),
  expires_at: Type.Optional(nullable(dateTime())),
  networks: Type.Optional(nullable(Type.Array(Type.String()))),
})

/** Returns the change of a key that a merge patch describes. */
export function keyChangeOf(key: Key, body: Static<typeof changeKeyBody>): KeyChange {
  const { package: packageName, add_ons: addOns, agreement, scope, expires_at: end, ...rest } = body
  return {
    ...rest,
    ...(packageName !== undefined && { packageName }),
    ...(addOns !== undefined && { addOns }),
    ...(agreement !== undefined && { agreement: applyMergePatch<Agreement>(key.agreement, agreement) }),
    ...(scope !== undefined && { scope: applyMergePatch<Scope>(key.scope, scope) }),
    ...(end !== undefined && { expiresMs: end === null ? null : Date.parse(end) }),
  }
}
