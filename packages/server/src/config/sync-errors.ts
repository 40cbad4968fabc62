import { findDatabaseUrlError } from './database-url.ts'
import type { Config } from './schema.ts'

type Sync = Config['sync'][number]
type SettingError = { readonly path: string; readonly text: string }

/** Returns true for a URL of a database; other sources are services. */
export const isDatabase = ({ from }: Pick<Sync, 'from'>): boolean => from.startsWith('postgres')

/** Returns the errors of syncs that a schema cannot express. */
export function findSyncErrors({ sync }: Pick<Config, 'sync'>): SettingError[] {
  if (!Array.isArray(sync)) return []
  const syncs = sync.filter(one => typeof one?.name === 'string' && typeof one.from === 'string')
  const repeated = syncs.findIndex(({ name }, i) => syncs.findIndex(one => one.name === name) !== i)
  return [
    ...(repeated < 0
      ? []
      : [
          { path: `sync.${repeated}.name`, text: `the name ${syncs[repeated]!.name} is used twice; give each its own` },
        ]),
    ...syncs.flatMap((one, i) => findErrors(one).map(({ path, text }) => ({ path: `sync.${i}.${path}`, text }))),
  ]
}

/** Returns the errors of one sync, with paths within it. */
export function findErrors(sync: Sync): SettingError[] {
  if (!URL.canParse(sync.from)) return [{ path: 'from', text: 'not a valid URL' }]
  if (new URL(sync.from).password !== '')
    return [
      {
        path: 'from',
        text: 'the password must not be in the URL; put it into PGPASSWORD, or into the file that secretFile names',
      },
    ]
  return isDatabase(sync) ? findDatabaseErrors(sync) : findServiceErrors(sync)
}

function findDatabaseErrors({ from, query, cursor }: Sync): SettingError[] {
  const text = findDatabaseUrlError(from)
  return [
    ...(text === undefined ? [] : [{ path: 'from', text }]),
    ...(query === undefined ? [{ path: 'query', text: 'required for a database; a SELECT of the rows' }] : []),
    ...(cursor === undefined
      ? [{ path: 'cursor', text: 'required for a database; the column that grows with every change of a row' }]
      : []),
  ]
}

function findServiceErrors(sync: Sync): SettingError[] {
  const ofDatabase = (['query', 'cursor', 'overlap', 'kind'] as const).find(name => sync[name] !== undefined)
  return [
    ...(ofDatabase === undefined ? [] : [{ path: ofDatabase, text: 'only for a database, but from is a service' }]),
    ...(sync.secretFile === undefined
      ? [{ path: 'secretFile', text: 'required for a service; the file with the API key' }]
      : []),
  ]
}
