import type { BackupResult, RestoreResult } from '../domain/backup.ts'
import { count, Type } from '../kit/json-schema.ts'
import { closedObject, type Resource } from './schema.ts'

export const backupSchema = closedObject({
  folder: Type.String(),
  files: count(),
  bytes: count(),
  problems: Type.Array(Type.String()),
  seconds: Type.Number({ minimum: 0 }),
})

/** Presents a finished backup. */
export const backupResource = (
  { folder, files, bytes, problems }: BackupResult,
  seconds: number,
): Resource<typeof backupSchema> => ({ folder, files, bytes, problems: [...problems], seconds })

export const restoredSchema = closedObject({
  data: Type.String(),
  files: count(),
  bytes: count(),
  moved_aside: Type.Optional(Type.String()),
})

/** Presents a restored data folder. */
export const restoredResource = ({
  data,
  files,
  bytes,
  previousFolder,
}: RestoreResult): Resource<typeof restoredSchema> => ({
  data,
  files,
  bytes,
  ...(previousFolder !== undefined && { moved_aside: previousFolder }),
})
