import type { Agreement } from '../../domain/agreement.ts'
import { packageNames } from '../../domain/package.ts'
import type { Partner, PartnerChange } from '../../domain/partner.ts'
import type { Scope } from '../../domain/scope.ts'
import { type Static, Type } from '../../kit/json-schema.ts'
import { closedObject, enteredText } from '../../resources/schema.ts'
import { applyMergePatch, limitSchemas, nullable, patch, scopeSchemas } from '../terms-body.ts'

const removable = (schema: ReturnType<typeof Type.String>, description: string) =>
  Type.Union([schema, Type.Null()], { description })

/** Merge patch of a partner. */
export const changePartnerBody = closedObject({
  name: Type.Optional(enteredText('name', 'Name of the partner.')),
  email: Type.Optional(removable(enteredText('email'), 'E-mail address of the contact.')),
  external_ref: Type.Optional(removable(enteredText('external_ref'), 'Id of the partner in your systems.')),
  package: Type.Optional(nullable(Type.Enum(packageNames))),
  agreement: Type.Optional(nullable(patch(limitSchemas))),
  scope: Type.Optional(nullable(patch(scopeSchemas))),
  live_keys_max: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1000, description: 'Maximum number of live keys that the partner makes.' }),
  ),
  zone: Type.Optional(removable(Type.String(), 'Time zone of the partner, such as Europe/Madrid.')),
  state: Type.Optional(Type.Enum(['open', 'closed'], { description: 'Closing revokes all keys of the partner.' })),
})

/** Returns the change of a partner that a merge patch describes. */
export function partnerChangeOf(partner: Partner, body: Static<typeof changePartnerBody>): PartnerChange {
  const { external_ref: externalRef, package: packageName, agreement, scope, live_keys_max, ...rest } = body
  return {
    ...rest,
    ...(externalRef !== undefined && { externalRef }),
    ...(packageName !== undefined && { packageName }),
    ...(agreement !== undefined && { agreement: applyMergePatch<Agreement>(partner.agreement, agreement) }),
    ...(scope !== undefined && { scope: applyMergePatch<Scope>(partner.scope, scope) }),
    ...(live_keys_max !== undefined && { liveKeysMax: live_keys_max }),
  }
}
