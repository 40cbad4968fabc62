import { html } from '../../web/html.ts'
import type { SectionNav } from '../../web/layout.ts'
import type { PartnerRequest } from '../pages/page-route.ts'

/** Returns the navigation of the pages of a partner. */
export function partnerNav({ partner, may, user }: Pick<PartnerRequest, 'partner' | 'may' | 'user'>): SectionNav {
  const page = (path: string, label: string, icon: string) => ({ path: `/portal/${partner.id}${path}`, label, icon })
  const isStaff = user.staffRole !== undefined
  return {
    label: 'Portal',
    head: html`${partner.name}${isStaff && html`<br><span class="quiet small">Read only: you are staff</span>`}`,
    groups: [
      {
        links: [
          page('/', 'Overview', 'speedometer2'),
          page('/usage', 'Usage', 'bar-chart'),
          page('/requests', 'Requests', 'list-ul'),
          page('/keys', 'Keys', 'key'),
          page('/plan', 'Plan', 'box'),
        ],
      },
      {
        label: 'Develop',
        links: [
          page('/explorer', 'Explorer', 'terminal'),
          page('/versions', 'Versions', 'clock-history'),
          page('/feeds', 'Feeds', 'cloud-download'),
          page('/webhooks', 'Webhooks', 'broadcast'),
        ],
      },
      {
        label: 'Organisation',
        links: [
          page('/statements', 'Statements', 'receipt'),
          page('/suggestions', 'Suggestions', 'pencil-square'),
          page('/team', 'Team', 'people'),
          ...(may('own:team') || isStaff ? [page('/activity', 'Activity', 'journal-text')] : []),
          isStaff
            ? { path: `/console/partners/${partner.id}`, label: 'Back to the console', icon: 'arrow-left' }
            : { path: '/portal/profile', label: 'Profile', icon: 'person-circle' },
        ],
      },
    ],
  }
}
