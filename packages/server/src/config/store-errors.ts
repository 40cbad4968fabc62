import { parseBlobAddress } from '../domain/blob-address.ts'
import { findDatabaseUrlError } from './database-url.ts'
import type { Config } from './schema.ts'
import { folderStore } from './schema-store.ts'

/** Returns an error for each URL of a database that cannot be used, and for replicas without a database. */
export function findStoreErrors({
  store,
  storeReplicas,
}: Pick<Config, 'store' | 'storeReplicas'>): { readonly path: string; readonly text: string }[] {
  const replicas: readonly unknown[] = Array.isArray(storeReplicas) ? storeReplicas : []
  if (store === folderStore)
    return replicas.length === 0
      ? []
      : [{ path: 'storeReplicas', text: 'requires the URL of a database in store, but the stores are files' }]
  const errorsOf = (path: string, urls: readonly unknown[]) => {
    const text = urls.map(url => (typeof url === 'string' ? findDatabaseUrlError(url) : undefined)).find(Boolean)
    return text === undefined ? [] : [{ path, text }]
  }
  return [...errorsOf('store', [store]), ...errorsOf('storeReplicas', replicas)]
}

/** Returns an error for an address of blobs that has another form, or that no other node could use. */
export function findBlobErrors({
  blobs,
  store,
}: Pick<Config, 'blobs' | 'store'>): { readonly path: string; readonly text: string }[] {
  if (typeof blobs !== 'string') return []
  const address = parseBlobAddress(blobs)
  if (typeof address === 'string') return [{ path: 'blobs', text: address.replace(/\.$/, '') }]
  if (store !== folderStore) return []
  return [{ path: 'blobs', text: 'requires a database as the store, because one node alone uses a data folder' }]
}

/** Returns an error if calls are to be stored before their answers leave, and no other machine could read them. */
export const findShippingErrors = ({
  journal,
  store,
}: Pick<Config, 'journal' | 'store'>): { readonly path: string; readonly text: string }[] =>
  journal?.ship === 'before-answer' && store === folderStore
    ? [{ path: 'journal.ship', text: 'before-answer requires a database as the store' }]
    : []

/** Returns a value without the passwords of a URL in it. The user ends at the last @: passwords may contain others. */
export const redactPassword = (text: string): string =>
  text.replace(/^([a-z0-9]+:\/\/[^:@/\s]*):\S*@/, '$1:***@').replace(/([?&](?:ssl)?password=)[^&#\s]*/g, '$1***')
