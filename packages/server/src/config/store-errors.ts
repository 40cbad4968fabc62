import { parseBlobAddress } from '../domain/blob-address.ts'
import type { Config } from './schema.ts'
import { folderStore } from './schema-store.ts'

const invalidUrl = 'not a valid URL; expected one such as postgres://periplus@db.internal/periplus'

/** Returns an error for each URL of a database that is not one, and for replicas without a database. */
export function findStoreErrors({
  store,
  storeReplicas,
}: Pick<Config, 'store' | 'storeReplicas'>): { readonly path: string; readonly text: string }[] {
  const isUrl = (value: unknown) => typeof value !== 'string' || URL.canParse(value)
  const replicas: readonly unknown[] = Array.isArray(storeReplicas) ? storeReplicas : []
  if (store === folderStore)
    return replicas.length === 0
      ? []
      : [{ path: 'storeReplicas', text: 'requires the URL of a database in store, but the stores are files' }]
  return [
    ...(isUrl(store) ? [] : [{ path: 'store', text: invalidUrl }]),
    ...(replicas.every(isUrl) ? [] : [{ path: 'storeReplicas', text: invalidUrl }]),
  ]
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

/** Returns a value without the password of a URL in it. */
export const redactPassword = (text: string): string => text.replace(/^([a-z]+:\/\/[^:@/\s]*):[^@\s]*@/, '$1:***@')
