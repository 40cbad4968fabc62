import type { AdminPermission } from '../../domain/admin-permission.ts'
import { html } from '../../web/html.ts'
import type { NavGroup, SectionNav } from '../../web/layout.ts'
import type { PageRequest } from '../pages/page-route.ts'

/** Returns the navigation of the console: the pages that the user may open. */
export function consoleNav({ may, user }: Pick<PageRequest, 'may' | 'user'>): SectionNav {
  const page = (path: string, label: string, icon: string, permission: AdminPermission) =>
    may(permission) ? [{ path: `/console${path}`, label, icon }] : []
  const groups: NavGroup[] = [
    { links: page('/', 'Home', 'house', 'partners:read') },
    {
      label: 'Partners',
      links: [
        ...page('/partners', 'Partners', 'building', 'partners:read'),
        ...page('/upgrades', 'Upgrades', 'arrow-up-circle', 'partners:read'),
        ...page('/usage', 'Usage', 'bar-chart', 'usage:read'),
        ...page('/requests', 'Requests', 'list-ul', 'log:read'),
        ...page('/offer', 'Offer', 'box', 'system:read'),
      ],
    },
    {
      label: 'Data',
      links: [
        ...page('/places', 'Places', 'geo-alt', 'system:read'),
        ...page('/suggestions', 'Suggestions', 'pencil-square', 'system:read'),
        ...page('/reviews', 'Reviews', 'chat-left-text', 'system:read'),
        ...page('/photos', 'Photos', 'image', 'system:read'),
        ...page('/imports', 'Imports', 'upload', 'system:read'),
        ...page('/feeds', 'Feeds', 'cloud-download', 'system:read'),
        ...page('/versions', 'Versions', 'clock-history', 'system:read'),
      ],
    },
    {
      label: 'System',
      links: [
        ...page('/health', 'Health', 'heart-pulse', 'system:read'),
        ...page('/events', 'Events', 'broadcast', 'system:read'),
        ...page('/audit', 'Audit', 'journal-text', 'audit:read'),
        ...page('/staff', 'Staff', 'people', 'tokens:write'),
        ...page('/settings', 'Settings', 'sliders', 'system:read'),
        { path: '/portal/profile', label: 'Profile', icon: 'person-circle' },
      ],
    },
  ]
  return { label: 'Console', head: html`Console<br><span class="quiet small">${user.staffRole}</span>`, groups }
}
