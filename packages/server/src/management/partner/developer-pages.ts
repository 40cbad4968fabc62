import { feedsPage } from './feeds/feeds.ts'
import { pinPages } from './feeds/move.ts'
import { keyPages } from './keys/pages.ts'
import { planPage } from './plan/plan.ts'
import { upgradePages } from './plan/request.ts'
import { versionsPage } from './versions/versions.ts'
import { webhookFormPages } from './webhooks/add.ts'
import { webhookPages } from './webhooks/detail.ts'
import { webhookListPage } from './webhooks/list.ts'

/** Pages with which the developers of a partner look after its keys and what depends on them. */
export const developerPages = [
  ...keyPages,
  planPage,
  ...upgradePages,
  feedsPage,
  ...pinPages,
  versionsPage,
  webhookListPage,
  ...webhookFormPages,
  ...webhookPages,
]
