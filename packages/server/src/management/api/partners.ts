import Type from 'typebox'
import { isAdminFault } from '../../domain/admin-fault.ts'
import { partnerResource, partnerSchema } from '../../resources/partner.ts'
import { closedObject } from '../../resources/schema.ts'
import { changePartner } from '../../usecases/admin/change-partner.ts'
import { createPartner } from '../../usecases/admin/create-partner.ts'
import { getPartner } from '../../usecases/admin/get-partner.ts'
import { listPartners } from '../../usecases/admin/list-partners.ts'
import { pageOf, pageQuery, toPage } from '../page.ts'
import { apiRoute } from '../route.ts'

const text = (description: string) => Type.String({ description })
const removable = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

/** `/partners` of the admin API. */
export const partnerRoutes = [
  apiRoute({
    method: 'GET',
    path: '/partners',
    operation: 'listPartners',
    summary: 'Lists partners, oldest first.',
    permission: 'partners:read',
    forPartners: true,
    query: closedObject(pageQuery),
    response: pageOf(partnerSchema),
    handler: async ({ admin }, { actor, query }) => {
      const { data, next } = toPage(
        await listPartners(admin, actor),
        ({ createdMs, id }) => `${createdMs} ${id}`,
        query,
      )
      return { body: { data: data.map(partnerResource), next } }
    },
  }),
  apiRoute({
    method: 'POST',
    path: '/partners',
    operation: 'createPartner',
    summary: 'Creates a partner.',
    permission: 'partners:write',
    body: closedObject({
      name: text('Name of the partner.'),
      email: Type.Optional(text('E-mail address of the contact.')),
      external_ref: Type.Optional(text('Id of the partner in your systems.')),
    }),
    status: 201,
    response: partnerSchema,
    handler: async ({ admin }, { actor, body: { name, email, external_ref } }) => {
      const input = {
        name,
        ...(email !== undefined && { email }),
        ...(external_ref !== undefined && { externalRef: external_ref }),
      }
      const created = await createPartner(admin, actor, input)
      if (isAdminFault(created)) return created
      return { body: partnerResource(created), revision: created.revision, location: `/partners/${created.id}` }
    },
  }),
  apiRoute({
    method: 'GET',
    path: '/partners/:id',
    operation: 'getPartner',
    summary: 'Returns a partner.',
    permission: 'partners:read',
    forPartners: true,
    response: partnerSchema,
    handler: async ({ admin }, { actor, params }) => {
      const partner = await getPartner(admin, actor, { id: params.id! })
      return isAdminFault(partner) ? partner : { body: partnerResource(partner), revision: partner.revision }
    },
  }),
  apiRoute({
    method: 'PATCH',
    path: '/partners/:id',
    operation: 'changePartner',
    summary: 'Changes the given members of a partner; null removes one.',
    permission: 'partners:write',
    body: closedObject({
      name: Type.Optional(text('Name of the partner.')),
      email: Type.Optional(removable('E-mail address of the contact.')),
      external_ref: Type.Optional(removable('Id of the partner in your systems.')),
    }),
    response: partnerSchema,
    handler: async ({ admin }, { actor, params, expectedRevision, body: { external_ref, ...rest } }) => {
      const change = { ...rest, ...(external_ref !== undefined && { externalRef: external_ref }) }
      const changed = await changePartner(admin, actor, { id: params.id!, expectedRevision, change })
      return isAdminFault(changed) ? changed : { body: partnerResource(changed), revision: changed.revision }
    },
  }),
]
