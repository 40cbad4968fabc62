import { type AdminFault, adminFault } from '../../../domain/admin-fault.ts'
import { type Id, parseId } from '../../../domain/id.ts'
import { overrideFields } from '../../../domain/override.ts'
import { linkTo } from '../../../web/site.ts'
import type { PageRequest } from '../../pages/page-route.ts'

/** Returns the address of a page of a place. */
export const placePath = ({ site }: Pick<PageRequest, 'site'>, id: Id, more = ''): string =>
  linkTo(site, `/console/places/${id}${more}`)

/** Returns the id in the path; undefined for text that is not an id. */
export const idOfPath = ({ params }: Pick<PageRequest, 'params'>): Id | undefined => parseId(params.id ?? '')

/** The fault for text in the path that is no id. */
export const unknownPlace: AdminFault = adminFault('location_unknown', ['id'], { location: 0n })

/** Returns the fault for a field that a place does not have, or that cannot be changed now. */
export const unknownField = (field: string): AdminFault =>
  adminFault('override_field_unknown', ['field'], { field, fields: overrideFields })
