import { packageNames } from '../domain/package.ts'
import type { Partner, PartnerNote } from '../domain/partner.ts'
import { dateTime, Type } from '../kit/json-schema.ts'
import { closedObject, formatDateTime, type Resource } from './schema.ts'
import { agreementResource, agreementSchema, scopeResource, scopeSchema } from './terms.ts'

export const partnerSchema = closedObject({
  id: Type.String(),
  name: Type.String(),
  email: Type.Optional(Type.String()),
  external_ref: Type.Optional(Type.String()),
  /** Package of the keys that the partner makes itself; missing: it makes no live keys. */
  package: Type.Optional(Type.Enum(packageNames)),
  agreement: agreementSchema,
  scope: scopeSchema,
  live_keys_max: Type.Integer({ minimum: 0 }),
  zone: Type.Optional(Type.String()),
  state: Type.Enum(['open', 'closed']),
  created_at: dateTime(),
  revision: Type.Integer({ minimum: 1 }),
})

export type PartnerResource = Resource<typeof partnerSchema>

/** Presents a partner. */
export const partnerResource = (partner: Partner): PartnerResource => ({
  id: partner.id,
  name: partner.name,
  ...(partner.email !== undefined && { email: partner.email }),
  ...(partner.externalRef !== undefined && { external_ref: partner.externalRef }),
  ...(partner.packageName !== undefined && { package: partner.packageName }),
  agreement: agreementResource(partner.agreement),
  scope: scopeResource(partner.scope),
  live_keys_max: partner.liveKeysMax,
  ...(partner.zone !== undefined && { zone: partner.zone }),
  state: partner.state,
  created_at: formatDateTime(partner.createdMs),
  revision: partner.revision,
})

export const partnerListSchema = closedObject({ partners: Type.Array(partnerSchema) })

/** Presents a list of partners. */
export const partnerListResource = (partners: readonly Partner[]): Resource<typeof partnerListSchema> => ({
  partners: partners.map(partnerResource),
})

export const partnerNoteSchema = closedObject({
  id: Type.String(),
  partner_id: Type.String(),
  text: Type.String(),
  by: Type.String(),
  at: dateTime(),
})
export type PartnerNoteResource = Resource<typeof partnerNoteSchema>

/** Presents a note about a partner. */
export const partnerNoteResource = ({ id, partnerId, text, by, atMs }: PartnerNote): PartnerNoteResource => ({
  id,
  partner_id: partnerId,
  text,
  by,
  at: formatDateTime(atMs),
})
