import type { AdminPermission, OwnPermission } from '../../domain/admin-permission.ts'
import { type Html, html } from '../../web/html.ts'
import { type Form, form } from '../../web/parts/form.ts'
import { notice } from '../../web/parts/notice.ts'
import type { PageRequest } from '../pages/page-route.ts'

/**
 * Returns a form of those who may send it; for staff, who may only look at the pages of a partner, a sentence in its
 * place.
 */
export const ownForm = ({ may }: PageRequest, permission: AdminPermission | OwnPermission, content: Form): Html =>
  may(permission)
    ? form(content)
    : notice('info', html`<p>Users of the partner have a form here. You are staff, so the form is not shown.</p>`)
