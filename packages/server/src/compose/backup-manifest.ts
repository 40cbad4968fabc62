import { closeSync, existsSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { isAbsolute, join, normalize } from 'node:path'
import { type AdminFault, adminFault, type BackupDamage } from '../domain/admin-fault.ts'
import { type CheckedSchema, findSchemaErrors } from '../kit/check-schema.ts'
import { addPathToErrors } from '../kit/error-path.ts'
import { type Static, Type } from '../kit/json-schema.ts'
import { storeNames } from '../store/engine.ts'
import { CopyError } from './backup-files.ts'

/** Manifest of a backup. It is written last: a folder without it is not a complete backup. */
export interface BackupManifest {
  readonly format: 1
  /** Release that made the backup. */
  readonly periplus: string
  readonly created_at: string
  /** Schema versions of the stores. */
  readonly schemas: { readonly control: number; readonly data: number }
  readonly files: readonly BackupFile[]
}

export interface BackupFile {
  /** Path relative to the data folder, with forward slashes. */
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

export const backupFormat = 1
const manifestName = 'backup.json'

/** Returns true if a folder is a complete backup. */
export const isBackup = (folder: string): boolean => existsSync(join(folder, manifestName))

const shape = Type.Object({
  format: Type.Integer(),
  periplus: Type.String(),
  created_at: Type.String(),
  schemas: Type.Object({ control: Type.Integer(), data: Type.Integer() }),
  files: Type.Array(
    Type.Object({
      path: Type.String({ minLength: 1 }),
      bytes: Type.Integer({ minimum: 0 }),
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    }),
    { minItems: 1 },
  ),
})

/** Writes the manifest and syncs it to disk. */
export function writeManifest(folder: string, manifest: BackupManifest): void {
  const path = join(folder, manifestName)
  const file = openSync(path, 'wx', 0o600)
  addPathToErrors(path, () => {
    writeSync(file, `${JSON.stringify(manifest, null, 1)}\n`)
    fsyncSync(file)
    closeSync(file)
  })
}

/** Reads the manifest of a backup. Throws CopyError if it is missing, damaged or from a newer release. */
export function readBackupManifest(folder: string, supported: BackupManifest['schemas']): BackupManifest {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new CopyError(adminFault('backup_missing', ['backup'], { backup: folder }))
  const file = join(folder, manifestName)
  if (!existsSync(file))
    throw new CopyError(adminFault('backup_incomplete', ['backup'], { backup: folder, manifest: manifestName }))
  const found = parseJson(readFileSync(file, 'utf8'))
  if (Number((found as { format?: unknown } | null)?.format) > backupFormat)
    throw new CopyError(adminFault('backup_newer', ['backup'], { backup: folder, schema: undefined }))
  if (!isManifest(found) || found.files.some(({ path }) => !staysInside(path)))
    throw new CopyError(damagedBackup(folder, manifestName, { kind: 'unreadable' }))
  for (const store of ['control', 'data'] as const) {
    const schema = {
      store: storeNames[store],
      found: found.schemas[store],
      supported: supported[store],
      release: found.periplus,
    }
    if (schema.found > schema.supported)
      throw new CopyError(adminFault('backup_newer', ['backup'], { backup: folder, schema }))
  }
  return found as BackupManifest
}

/** Returns the fault of a file of a backup that is missing, or differs from the manifest. */
export const damagedBackup = (backup: string, file: string, damage: BackupDamage): AdminFault =>
  adminFault('backup_damaged', ['backup'], { backup, file, damage })

const isManifest = (value: unknown): value is Static<typeof shape> =>
  findSchemaErrors(shape as CheckedSchema, value).length === 0

const staysInside = (path: string): boolean => !isAbsolute(path) && !normalize(path).startsWith('..')

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
