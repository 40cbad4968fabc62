import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FeedLibrary } from '../domain/stores.ts'
import { publicPem } from '../feeds/manifest.ts'
import { Snapshots } from '../feeds/snapshots.ts'
import type { FeedPapers } from '../http/feeds/pages.ts'
import type { Layout } from '../store/sqlite/layout.ts'

/** The snapshots of a data folder. */
export function feedLibrary(layout: Layout): FeedLibrary {
  const snapshots = new Snapshots(layout.feeds)
  return {
    list: async edition => snapshots.list(edition),
    find: async (edition, id) => snapshots.find(edition, id),
  }
}

/** The public half of the signing key, which the first build makes, and the schemas of the contract. */
export function feedPapers(layout: Layout): FeedPapers {
  const signingKey = join(layout.feeds, 'signing-key.pem')
  return {
    publicKeyPem: () => (existsSync(signingKey) ? publicPem(readFileSync(signingKey, 'utf8')) : undefined),
    schema: () => undefined,
  }
}
