import type { AdminPermission, OwnPermission } from '../../domain/admin-permission.ts'
import { type Html, html } from '../../web/html.ts'
import { type Form, form } from '../../web/parts/form.ts'
import { notice } from '../../web/parts/notice.ts'
import type { PageRequest } from '../pages/page-route.ts'

/**
 * Returns a form if the user may send it. Staff may only read the pages of a partner and get a sentence instead.
 */
export const ownForm = ({ may }: PageRequest, permission: AdminPermission | OwnPermission, content: Form): Html =>
  may(permission)
    ? form(content)
    : notice('info', html`<p>Users of the partner have a form here. You are staff, so the form is not shown.</p>`)
