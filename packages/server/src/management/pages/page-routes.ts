import { auditPages } from '../console/audit.ts'
import { dataPages } from '../console/data-pages.ts'
import { partnerPages } from '../console/partners/routes.ts'
import { consoleRequestPages } from '../console/requests.ts'
import { staffPages } from '../console/staff/routes.ts'
import { systemPages } from '../console/system/routes.ts'
import { upgradePages } from '../console/upgrades/routes.ts'
import { consoleUsagePages } from '../console/usage.ts'
import { activityPages } from '../partner/activity.ts'
import { developerPages } from '../partner/developer-pages.ts'
import { explorerPages } from '../partner/explorer/explorer.ts'
import { overviewPages } from '../partner/overview.ts'
import { requestPages } from '../partner/requests.ts'
import { statementPages } from '../partner/statements.ts'
import { ownSuggestionPages } from '../partner/suggestions/pages.ts'
import { teamPages } from '../partner/team.ts'
import { usagePages } from '../partner/usage.ts'
import type { PageRoute } from './page-route.ts'

/** All pages of the portal and the console: the table that decides who may open what. */
export const pageRoutes: readonly PageRoute[] = [
  ...activityPages,
  ...auditPages,
  ...systemPages,
  ...partnerPages,
  ...upgradePages,
  ...teamPages,
  ...ownSuggestionPages,
  ...staffPages,
  ...dataPages,
  ...developerPages,
  ...explorerPages,
  ...overviewPages,
  ...usagePages,
  ...requestPages,
  ...statementPages,
  ...consoleUsagePages,
  ...consoleRequestPages,
]
