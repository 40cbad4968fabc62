import { isAdminFault } from '../../domain/admin-fault.ts'
import { partnerOrders } from '../../domain/key-stores.ts'
import { partnerStates, unitsFromMs } from '../../domain/partner.ts'
import { Type } from '../../kit/json-schema.ts'
import { partnerNoteResource, partnerNoteSchema, partnerResource, partnerSchema } from '../../resources/partner.ts'
import { closedObject, enteredText } from '../../resources/schema.ts'
import { addNote } from '../../usecases/admin/add-note.ts'
import { changePartner } from '../../usecases/admin/change-partner.ts'
import { createPartner } from '../../usecases/admin/create-partner.ts'
import { getPartner } from '../../usecases/admin/get-partner.ts'
import { listNotes } from '../../usecases/admin/list-notes.ts'
import { listPartnerPart } from '../../usecases/admin/list-partners.ts'
import { invalidCursor, pageOf, pageQuery, readListPage, sortQuery, toPage } from '../page.ts'
import { apiRoute } from '../route.ts'
import { changePartnerBody, partnerChangeOf } from './partner-change.ts'

/** `/partners` of the admin API, with their notes. */
export const partnerRoutes = [
  apiRoute({
    method: 'GET',
    path: '/partners',
    operation: 'listPartners',
    summary: 'Lists partners, oldest first by default.',
    permission: 'partners:read',
    forPartners: true,
    query: closedObject({
      ...pageQuery,
      ...sortQuery(partnerOrders),
      state: Type.Optional(Type.Enum([...partnerStates])),
      q: Type.Optional(Type.String({ description: 'Part of the id, name, e-mail address or external reference.' })),
    }),
    response: pageOf(partnerSchema),
    handler: async ({ admin, clock }, { actor, query: { state, q, ...page } }) => {
      const filter = { state, text: q, unitsFromMs: unitsFromMs(clock.nowMs()) }
      const found = await readListPage(
        partnerOrders,
        span => listPartnerPart(admin, actor, { ...filter, ...span }),
        page,
      )
      return found ? { body: { ...found, data: found.data.map(partnerResource) } } : invalidCursor()
    },
  }),
  apiRoute({
    method: 'POST',
    path: '/partners',
    operation: 'createPartner',
    summary: 'Creates a partner.',
    permission: 'partners:write',
    body: closedObject({
      name: enteredText('name', 'Name of the partner.'),
      email: Type.Optional(enteredText('email', 'E-mail address of the contact.')),
      external_ref: Type.Optional(enteredText('external_ref', 'Id of the partner in your systems.')),
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
    body: changePartnerBody,
    response: partnerSchema,
    handler: async ({ admin }, { actor, params, expectedRevision, body }) => {
      const before = await getPartner(admin, actor, { id: params.id! })
      if (isAdminFault(before)) return before
      const change = partnerChangeOf(before, body)
      const changed = await changePartner(admin, actor, { id: before.id, expectedRevision, change })
      return isAdminFault(changed) ? changed : { body: partnerResource(changed), revision: changed.revision }
    },
  }),
  apiRoute({
    method: 'GET',
    path: '/partners/:id/notes',
    operation: 'listNotes',
    summary: 'Lists the notes about a partner, newest first. Partners never see them.',
    permission: 'partners:read',
    query: closedObject(pageQuery),
    response: pageOf(partnerNoteSchema),
    handler: async ({ admin }, { actor, params, query }) => {
      const notes = await listNotes(admin, actor, { partnerId: params.id! })
      if (isAdminFault(notes)) return notes
      const { data, next } = toPage(notes, ({ id }) => id, query)
      return { body: { data: data.map(partnerNoteResource), next } }
    },
  }),
  apiRoute({
    method: 'POST',
    path: '/partners/:id/notes',
    operation: 'addNote',
    summary: 'Adds a note about a partner.',
    permission: 'partners:note',
    body: closedObject({ text: enteredText('text', 'The note.') }),
    status: 201,
    response: partnerNoteSchema,
    handler: async ({ admin }, { actor, params, body }) => {
      const note = await addNote(admin, actor, { partnerId: params.id!, text: body.text })
      return isAdminFault(note) ? note : { body: partnerNoteResource(note) }
    },
  }),
]
