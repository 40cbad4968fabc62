import type { FeedLibrary } from '../domain/stores.ts'
import { schemaText } from '../feeds/schemas.ts'
import { signingKeyOf } from '../feeds/signing-key.ts'
import { Snapshots } from '../feeds/snapshots.ts'
import type { FeedDocuments } from '../http/site/feed-pages.ts'
import type { Layout } from '../store/folder/layout.ts'

/** Returns the snapshots of a data folder. */
export function feedLibrary(layout: Layout): FeedLibrary {
  const snapshots = new Snapshots(layout.feeds)
  return {
    list: async edition => snapshots.list(edition),
    find: async (edition, id) => snapshots.find(edition, id),
  }
}

/** Returns the public key of the signing key, which the first build creates, and the schemas of the contract. */
export function feedDocuments(layout: Layout): FeedDocuments {
  return {
    publicKeyPem: () => signingKeyOf(layout.feeds)?.publicPem,
    schema: schemaText,
  }
}
