import { createHash } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs'
import { isAbsolute, join, normalize } from 'node:path'
import { Type } from 'typebox'
import { Value } from 'typebox/value'

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

/** Thrown if a folder is not a complete and intact backup; the message is user-facing. */
export class InvalidBackup extends Error {}

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
  const file = openSync(join(folder, manifestName), 'wx', 0o600)
  writeSync(file, `${JSON.stringify(manifest, null, 1)}\n`)
  fsyncSync(file)
  closeSync(file)
}

/** Reads the manifest of a backup. Throws InvalidBackup if it is missing, damaged or from a newer release. */
export function readManifest(folder: string, supported: BackupManifest['schemas']): BackupManifest {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new InvalidBackup(`The folder ${folder} does not exist. Specify a folder that 'periplus backup' created.`)
  const file = join(folder, manifestName)
  if (!existsSync(file))
    throw new InvalidBackup(
      `${folder} is not a complete backup: it has no ${manifestName}. Specify the folder of a complete backup.`,
    )
  const found = parseJson(readFileSync(file, 'utf8'))
  if (Number((found as { format?: unknown } | null)?.format) > backupFormat)
    throw new InvalidBackup(`${file} was written by a newer release. Use that release to restore it.`)
  if (!Value.Check(shape, found) || found.files.some(({ path }) => !staysInside(path)))
    throw new InvalidBackup(`${file} is damaged. Use another backup.`)
  for (const store of ['control', 'data'] as const) {
    if (found.schemas[store] > supported[store])
      throw new InvalidBackup(
        `${store}.sqlite of the backup has schema version ${found.schemas[store]}; ` +
          `this release supports versions up to ${supported[store]}. The backup was made by a newer release (${found.periplus}). ` +
          'Use that release to restore it.',
      )
  }
  return found as BackupManifest
}

const staysInside = (path: string): boolean => !isAbsolute(path) && !normalize(path).startsWith('..')

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Computes the size and SHA-256 of a file. */
export async function computeFingerprint(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    hash.update(chunk as Buffer)
    bytes += (chunk as Buffer).length
  }
  return { bytes, sha256: hash.digest('hex') }
}
