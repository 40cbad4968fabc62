import { feedsPage } from './feeds/feeds.ts'
import { pinPages } from './feeds/move.ts'
import { keyPages } from './keys/pages.ts'
import { planPage } from './plan/plan.ts'
import { upgradeRequestPages } from './plan/request.ts'
import { ownVersionsPage } from './versions/versions.ts'
import { partnerWebhookPages } from './webhooks/pages.ts'

/** Pages on which the developers of a partner manage its keys, plan, feeds, versions and webhooks. */
export const developerPages = [
  ...keyPages,
  planPage,
  ...upgradeRequestPages,
  feedsPage,
  ...pinPages,
  ownVersionsPage,
  ...partnerWebhookPages,
]
