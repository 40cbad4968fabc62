import type { FastifyInstance } from 'fastify'
import { linkTo } from '../../web/site.ts'
import { sendRedirect } from '../pages/send-page.ts'
import { sessionOf } from '../session.ts'
import type { PortalParts } from './parts.ts'

/**
 * Adds `/portal/suggest/{id}`, to which the public page of a place leads: to the form of the first partner of the user
 * after the sign-in, and to the place in the console for staff, who change it themselves.
 */
export function addSuggest(scope: FastifyInstance, { identity, access, site }: PortalParts): void {
  scope.get<{ Params: { id: string } }>('/suggest/:id', async (request, reply) => {
    const id = encodeURIComponent(request.params.id)
    const found = await sessionOf(request, identity, access)
    if (!found)
      return sendRedirect(reply, linkTo(site, `/portal/sign-in?to=${encodeURIComponent(`/portal/suggest/${id}`)}`))
    const { user } = found
    if (user.staffRole !== undefined) return sendRedirect(reply, linkTo(site, `/console/places/${id}`))
    const [first] = user.memberships
    const form = first && `/portal/${first.partnerId}/suggestions/new?place=${id}`
    return sendRedirect(reply, linkTo(site, form ?? '/portal'))
  })
}
