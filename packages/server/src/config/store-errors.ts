import type { Config } from './schema.ts'
import { folderStore } from './schema-store.ts'

/** Returns an error for the URL of a database that is not one, although it looks like one. */
export const findStoreErrors = ({
  store,
}: Pick<Config, 'store'>): { readonly path: string; readonly text: string }[] =>
  typeof store !== 'string' || store === folderStore || URL.canParse(store)
    ? []
    : [{ path: 'store', text: 'not a valid URL; expected one such as postgres://periplus@db.internal/periplus' }]

/** Returns a value without the password of a URL in it. */
export const redactPassword = (text: string): string => text.replace(/^([a-z]+:\/\/[^:@/\s]*):[^@\s]*@/, '$1:***@')
