import Type from 'typebox'
import type { Partner } from '../domain/partner.ts'
import { closedObject, dateTime, formatDateTime, type Resource } from './schema.ts'

export const partnerSchema = closedObject({
  id: Type.String(),
  name: Type.String(),
  email: Type.Optional(Type.String()),
  external_ref: Type.Optional(Type.String()),
  created_at: dateTime(),
  revision: Type.Integer({ minimum: 1 }),
})

export type PartnerResource = Resource<typeof partnerSchema>

/** Presents a partner. */
export const partnerResource = ({ id, name, email, externalRef, createdMs, revision }: Partner): PartnerResource => ({
  id,
  name,
  ...(email !== undefined && { email }),
  ...(externalRef !== undefined && { external_ref: externalRef }),
  created_at: formatDateTime(createdMs),
  revision,
})

export const partnerListSchema = closedObject({ partners: Type.Array(partnerSchema) })

/** Presents a list of partners. */
export const partnerListResource = (partners: readonly Partner[]): Resource<typeof partnerListSchema> => ({
  partners: partners.map(partnerResource),
})
