import type { OwnPermission } from '../../domain/admin-permission.ts'
import { type Html, html } from '../../web/html.ts'
import { type Form, form } from '../../web/parts/form.ts'
import { notice } from '../../web/parts/notice.ts'
import type { PartnerRequest } from '../pages/page-route.ts'

/** Returns a form of a partner's pages, or for staff, who may only look, a sentence in its place. */
export const ownForm = ({ may }: PartnerRequest, permission: OwnPermission, content: Form): Html =>
  may(permission)
    ? form(content)
    : notice('info', html`<p>Users of the partner have a form here. You are staff, so the form is not shown.</p>`)
