import type { ExplanationPage } from '../../domain/explanation-terms.ts'
import type { LoggedCall } from '../../domain/request-log.ts'
import type { PageRequest } from '../pages/page-route.ts'

interface Target {
  readonly path: string
  readonly label: string
}

/** Returns the page that helps with a remedy; staff gets the pages of the console. */
export function linkOf(
  page: ExplanationPage,
  { operation, partnerId, keyId }: LoggedCall,
  { path }: PageRequest,
): Target {
  const isConsole = path.startsWith('/console/')
  const partner = `${isConsole ? '/console/partners' : '/portal'}/${partnerId}`
  const toPage = (name: string, label: string) => ({
    path: isConsole ? `/console/${name}` : `${partner}/${name}`,
    label,
  })
  const targets: Readonly<Record<ExplanationPage, Target>> = {
    reference: { path: `/docs/${operation}`, label: `Reference for ${operation}` },
    catalog: { path: '/docs/searchCatalog', label: 'Search the catalog' },
    guide: { path: '/docs/guide', label: 'Guide' },
    status: { path: '/status', label: 'Status of the service' },
    keys: { path: `${partner}/keys/${keyId}`, label: 'The key' },
    plan: isConsole ? { path: partner, label: 'Partner' } : toPage('plan', 'Plan'),
    versions: toPage('versions', 'Versions'),
    feeds: toPage('feeds', 'Feeds'),
  }
  return targets[page]
}
